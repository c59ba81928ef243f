package cache

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/history/record"
)

// Fresh is the graph that a run found, and what of it is new.
type Fresh struct {
	Paths       []string
	*walk.Graph // with all ancestors

	// Before is what was kept already, nil where all of it is to be written. New is how many commits came before it in
	// the order; all others are of it.
	Before *Contents
	New    int
}

// Recorded is what a run found that the commits record.
type Recorded struct {
	Entries []*record.Entry          // by position in Commits; nil for those that record nothing
	Valid   func(plan git.Hash) bool // whether a version of the plan is one
}

// Save writes the file. An error says why it could not, and does no harm.
func Save(dir string, key Key, f Fresh, t Recorded) error {
	d := newDraft(key, f)
	n, size := 0, int64(0)
	if d.Before != nil {
		n, size = len(d.Before.files), d.Before.bytes
	}
	file, err := newFileWriter(dir, strconv.Itoa(n), maxBytes-size)
	if err != nil {
		return err
	}
	d.encode(t, file.write)
	if err := file.finish(); err != nil {
		return err
	}
	return sweep(dir, n)
}

// sweep removes what does not belong to the chain any more, and what killed processes left behind.
func sweep(dir string, last int) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		n, notNumber := strconv.Atoi(e.Name())
		if notNumber == nil && n > last || isLeft(e) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}
