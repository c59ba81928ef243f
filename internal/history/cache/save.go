package cache

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
)

// Fresh is the graph that a run found.
type Fresh struct {
	Paths      []string
	*git.Graph // with all ancestors

	// Before is what was kept already, nil where all of it is to be written. New is how many commits came before it in
	// the order; all others are of it.
	Before *Kept
	New    int
}

// Taken is what the run took from the commits.
type Taken struct {
	Notes    []*fold.Note // by position in Commits
	Silent   *fold.Note   // stands for those that say nothing
	Readable func(plan git.Hash) (readable, atHand bool)
}

// errTooLarge: a history is too large to be kept.
var errTooLarge = errors.New("too large to keep")

// Save keeps what was found. The error says why it could not; it does no harm.
func (d *Draft) Save(dir string, t Taken) error {
	n, size := 0, int64(0)
	if d.Before != nil {
		n, size = len(d.Before.files), d.Before.bytes
	}
	data := d.encode(t)
	if size+int64(len(data)) > mostBytes {
		return errTooLarge
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := write(dir, strconv.Itoa(n), data); err != nil {
		return err
	}
	return sweep(dir, n)
}

const partSuffix = ".part" // of a file that is being written

// write makes a file that is there whole, or not at all. Should the machine stop, its checksum tells what came of it.
func write(dir, name string, data []byte) error {
	part := filepath.Join(dir, fmt.Sprintf("%s-%08x%s", name, rand.Uint32(), partSuffix))
	file, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(part, filepath.Join(dir, name))
	}
	if err != nil {
		os.Remove(part) //nolint:errcheck // the first error is the one to tell
	}
	return err
}

// partAge is when a file that nobody finished is taken away.
const partAge = time.Hour

// sweep takes away what does not follow from the last file of the chain, and what killed processes left behind.
func sweep(dir string, last int) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		n, notNumber := strconv.Atoi(e.Name())
		stale := notNumber == nil && n > last
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), partSuffix) {
			stale = time.Since(info.ModTime()) > partAge
		}
		if stale {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}
