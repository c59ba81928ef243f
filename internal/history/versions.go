package history

import (
	"errors"
	"sync"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
)

// versions are the plans of a walk: read at once, or known from before and read
// when they are asked for.
type versions struct {
	walker  git.Walker
	book    *fold.Book
	readers [workers]*fold.VersionReader
	read    map[git.Hash]*fold.Version
	kept    func(git.Hash) (readable, known bool) // what an earlier run found
	gone    bool                                  // one of these is not at hand any more
}

func newVersions(w git.Walker) *versions {
	v := &versions{
		walker: w, book: fold.NewBook(), read: map[git.Hash]*fold.Version{},
		kept: func(git.Hash) (readable, known bool) { return false, false },
	}
	for i := range v.readers {
		v.readers[i] = v.book.Reader()
	}
	return v
}

// Readable implements fold.Plans.
func (v *versions) Readable(id git.Hash) (readable, atHand bool) {
	if version := v.read[id]; version != nil {
		return version.Readable(), true
	}
	return v.kept(id)
}

// close lets go of all but what is readable.
func (v *versions) close() { v.book, v.readers = nil, [workers]*fold.VersionReader{} }

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
	var mutex sync.Mutex
	return v.walker.Blobs(ids, workers, func(worker, i int, data []byte, err error) error {
		if errors.Is(err, git.ErrMissing) {
			return nil
		}
		if err != nil {
			return err
		}
		version := v.readers[worker].Read(data)
		mutex.Lock()
		defer mutex.Unlock()
		v.read[ids[i]] = version
		return nil
	})
}
