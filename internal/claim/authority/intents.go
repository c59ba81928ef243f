package authority

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/safefile"
)

// intents are what processes of this repository are pushing, one locked file for each push, and the tokens that they gave up.
// A file that nobody has locked is of a process that died: its push may have arrived, or may still arrive.
type intents struct {
	dir    string // common git directory
	remote string
}

// openIntents is the file of one push, which this process has locked.
type openIntents struct {
	store   intents
	path    string
	held    heldFile
	intents []claim.Intent
	pending bool // the file stays, for the next command to settle
}

type intentsFile struct {
	Remote  string         `json:"remote"`
	Intents []claim.Intent `json:"intents"`
}

func (s intents) root() string { return filepath.Join(s.dir, filepath.FromSlash(stateDir), "intents") }

// write records what is about to be pushed.
func (s intents) write(open []claim.Intent) (*openIntents, error) {
	data, err := json.Marshal(intentsFile{s.remote, open})
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.root(), 0o777); err != nil {
		return nil, err
	}
	o := &openIntents{store: s, path: filepath.Join(s.root(), NewToken()+".json"), intents: open}
	if o.held, err = holdNew(o.path, append(data, '\n')); err != nil {
		return nil, fmt.Errorf("write down what is pushed: %w", err)
	}
	return o, nil
}

// hiddenName returns the name of a file that is not complete yet, for one that is locked and has its content when it appears.
func hiddenName(path string) string { return path + ".new" }

// giveUp records that the tokens of new claims have ended: if they arrive late, they are deleted.
func (o *openIntents) giveUp() {
	o.pending = o.store.end(o.intents) != nil
}

// close removes the file.
func (o *openIntents) close() {
	if !o.pending {
		os.Remove(o.path) //nolint:errcheck // it is settled again, to the same end
	}
	o.held.release()
}

// left returns the intents of processes that died, with their files.
func (s intents) left(now claim.Clock) (map[string][]claim.Intent, error) {
	entries, err := os.ReadDir(s.root())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	found := map[string][]claim.Intent{}
	for _, entry := range entries {
		path := filepath.Join(s.root(), entry.Name())
		if !strings.HasSuffix(path, ".json") {
			removeUnused(path)
			continue
		}
		proof := probeFile(path)
		if proof == claim.LockHeld || proof == claim.LockMissing {
			continue
		}
		var file intentsFile
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // its push has just ended
		}
		if err != nil || json.Unmarshal(data, &file) != nil {
			file = intentsFile{} // damaged by a power cut
		}
		if file.Remote != s.remote && file.Remote != "" {
			continue
		}
		if proof == claim.LockUnknown && slices.ContainsFunc(file.Intents, func(i claim.Intent) bool { return i.InTime(now) }) {
			continue // it may be on its way
		}
		found[path] = file.Intents
	}
	return found, err
}

// removeUnused removes what a process left that was killed before it began to push.
func removeUnused(path string) {
	if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > time.Hour {
		os.Remove(path) //nolint:errcheck // the next one tries again
	}
}

// endedToken is one that was given up.
type endedToken struct {
	ID    string    `json:"id"`
	Token string    `json:"token"`
	At    time.Time `json:"at"`
}

// endedTime is how long after it was given up a push may still arrive.
const endedTime = 7 * 24 * time.Hour

func (s intents) endedName() string { return stateDir + "/ended.json" }

// ended returns the tokens that were given up, by task.
func (s intents) ended() []endedToken {
	var all []endedToken
	data, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(s.endedName())))
	if err != nil || json.Unmarshal(data, &all) != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(e endedToken) bool { return time.Since(e.At) > endedTime })
}

// end adds the tokens of intents that make claims.
func (s intents) end(open []claim.Intent) error {
	ctx, cancel := context.WithTimeout(context.Background(), contention)
	defer cancel()
	path := filepath.Join(s.dir, filepath.FromSlash(s.endedName()))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	lock, err := safefile.Lock(ctx, path+".lock", "claim")
	if err != nil {
		return err
	}
	defer lock.Release() //nolint:errcheck // the kernel releases it at the end
	all := s.ended()
	for _, i := range open {
		if i.Fresh && !slices.ContainsFunc(all, func(e endedToken) bool { return e.Token == i.Token }) {
			all = append(all, endedToken{i.ID, i.Token, time.Now().UTC()})
		}
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return safefile.WriteCached(s.dir, s.endedName(), append(data, '\n'), 0o666)
}

// endTokens records that the tokens of new claims have ended.
func (r *Remote) endTokens(changes []claim.Change) error {
	var open []claim.Intent
	for _, c := range changes {
		open = append(open, claim.NewIntent(c, "", r.clock.read()))
	}
	return r.intents.end(open)
}

// Settle finds out what became of the pushes of processes that died, and deletes claims that arrived after they were given up.
func (r *Remote) Settle(ctx context.Context) error {
	left, err := r.intents.left(r.clock.read())
	if err != nil {
		return err
	}
	for path, open := range left {
		if err := r.intents.end(open); err != nil {
			return err
		}
		os.Remove(path) //nolint:errcheck // it is settled again, to the same end
	}
	ended := r.intents.ended()
	if len(ended) == 0 {
		return nil
	}
	current, err := r.Read(ctx)
	if err != nil {
		return err
	}
	var withdrawn []claim.Change
	for _, e := range ended {
		h := heldOf(current, e.ID)
		intent := claim.Intent{ID: e.ID, Token: e.Token}
		if (claim.Protocol{}).Settle(intent, h, true, r.clock.read()) == claim.Withdraw {
			withdrawn = append(withdrawn, claim.Change{ID: e.ID, Old: h.Object, Do: claim.Delete})
		}
	}
	if len(withdrawn) == 0 {
		return nil
	}
	_, err = r.Swap(ctx, claim.Batch{Changes: withdrawn})
	return err
}
