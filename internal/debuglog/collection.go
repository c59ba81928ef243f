package debuglog

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"git-ralph/internal/safefile"
)

// A Collection is what was counted of a log: a failure for each signature. Each event counts once, however often the log is read.
type Collection struct {
	Clone    string              `json:"clone"`    // a random name of the repository's copy that the log belongs to
	Read     Places              `json:"read"`     // that are counted
	Failures map[string]*Failure `json:"failures"` // by id
}

// collectionFile is in the directory of the log, beside the files of sessions.
const collectionFile = "collected.json"

// Collect counts the failures since a time that were not counted before. It returns all that ever were, and how many events were new.
// A dry run keeps nothing. name makes the name of a new Collection.
func (l Log) Collect(ctx context.Context, since time.Time, name func() string, dryRun bool) (*Collection, int, error) {
	if _, err := os.Stat(l.Dir); os.IsNotExist(err) {
		return &Collection{}, 0, nil
	}
	if !dryRun {
		held, err := safefile.Lock(ctx, filepath.Join(l.Dir, "collect.lock"), "debug collate")
		if err != nil {
			return nil, 0, err
		}
		defer held.Release() //nolint:errcheck // the process's end releases it too
	}
	c, err := l.collection(name)
	if err != nil {
		return nil, 0, err
	}
	found, err := c.add(l, since)
	if err != nil || dryRun {
		return c, found, err
	}
	data, err := json.Marshal(c)
	if err != nil {
		return nil, 0, err
	}
	return c, found, safefile.Write(l.Dir, collectionFile, data, 0o600)
}

// collection reads what was counted before.
func (l Log) collection(name func() string) (*Collection, error) {
	c := &Collection{Clone: name(), Read: Places{}, Failures: map[string]*Failure{}}
	path := filepath.Join(l.Dir, collectionFile)
	data, exists, err := safefile.ReadIfAny(path)
	if err != nil || !exists {
		return c, err
	}
	if err := json.Unmarshal(data, c); err != nil || c.Clone == "" {
		return nil, fmt.Errorf("%s is damaged: remove it to count all events of the debug log again", path)
	}
	return c, nil
}

// add counts the events since a time that are not counted yet.
func (c *Collection) add(l Log, since time.Time) (found int, err error) {
	signer := newSigner()
	files, err := l.Read(since, c.Read, func(e Event) {
		if e.Result != Failed {
			return
		}
		signature := signer.signature(e)
		id := idOf(signature)
		f := c.Failures[id]
		if f == nil {
			f = &Failure{ID: id, Signature: signature, First: e.At}
			c.Failures[id] = f
		}
		f.Count++
		found++
		if e.At.Before(f.First) {
			f.First = e.At
		}
		if e.At.After(f.Last) {
			f.Last = e.At
		}
	})
	if err != nil {
		return found, err
	}
	c.Read.keep(files)
	return found, nil
}
