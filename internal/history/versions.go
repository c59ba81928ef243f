package history

import (
	"errors"
	"sync"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
)

// versions are the plans of a walk: read while they are found, or known from before and read when they are asked for.
type versions struct {
	walker git.Walker
	book   *fold.Book
	kept   func(git.Hash) (readable, known bool) // what an earlier run found
	gone   bool                                  // one of these is not at hand any more
	smudge func(git.Hash) ([]byte, error)        // makes of a blob what git would show; nil where that is the blob

	mutex   sync.Mutex // while several read
	read    map[git.Hash]*fold.Version
	asked   map[git.Hash]bool     // of a walk
	readers []*fold.VersionReader // by worker
}

func newVersions(w git.Walker) *versions {
	return &versions{
		walker: w, book: fold.NewBook(), read: map[git.Hash]*fold.Version{}, asked: map[git.Hash]bool{},
		kept: func(git.Hash) (readable, known bool) { return false, false },
	}
}

// close lets go of all but what is readable.
func (v *versions) close() { v.book, v.readers, v.asked = nil, nil, nil }

// Wants implements git.Plans.
func (v *versions) Wants(id git.Hash) bool {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.asked[id] || v.read[id] != nil {
		return false
	}
	v.asked[id] = true
	_, known := v.kept(id)
	return !known
}

// Take implements git.Plans.
func (v *versions) Take(worker int, id git.Hash, data []byte) {
	if v.smudge != nil {
		if shown, err := v.smudge(id); err == nil {
			data = shown
		}
	}
	version := v.reader(worker).Read(data)
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.read[id] = version
}

func (v *versions) reader(worker int) *fold.VersionReader {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for worker >= len(v.readers) {
		v.readers = append(v.readers, v.book.Reader())
	}
	return v.readers[worker]
}

// Readable implements fold.Plans.
func (v *versions) Readable(id git.Hash) (readable, atHand bool) {
	if version := v.read[id]; version != nil {
		return version.Readable(), true
	}
	return v.kept(id)
}

// Version implements fold.Plans.
func (v *versions) Version(id git.Hash) *fold.Version {
	if version := v.read[id]; version != nil {
		return version
	}
	if _, known := v.kept(id); known && !v.gone {
		err := v.fetch([]git.Hash{id})
		v.gone = err != nil || v.read[id] == nil
	}
	return v.read[id]
}

// unread returns the versions that were not read yet, those of the oldest commits
// first.
func (v *versions) unread(g *git.Graph) (ids []git.Hash) {
	asked := map[git.Hash]bool{}
	for i := len(g.Commits) - 1; i >= 0; i-- {
		id := g.Commits[i].Plan
		if id.IsZero() || asked[id] || v.read[id] != nil {
			continue
		}
		asked[id] = true
		if _, known := v.kept(id); !known {
			ids = append(ids, id)
		}
	}
	return ids
}

// fetch reads versions. One that is not at hand stays unread.
func (v *versions) fetch(ids []git.Hash) error {
	return v.walker.Blobs(ids, workers, func(worker, i int, data []byte, err error) error {
		if err == nil {
			v.Take(worker, ids[i], data)
		}
		if errors.Is(err, git.ErrMissing) {
			return nil
		}
		return err
	})
}
