package walk

import (
	"context"
	"errors"
	"sync"

	"git-ralph/internal/git"
	"git-ralph/internal/git/odb"
)

// fallbackWalker uses the engine that reads the files of git, and the git program where that one cannot answer.
type fallbackWalker struct {
	repo    *git.Repo
	ctx     context.Context
	chosen  bool
	store   *odbWalker // nil where history is not plain
	program *gitWalker
}

// quick runs a query on the quick engine; not ok means that git must answer it.
func (w *fallbackWalker) quick(ask func() error) (ok bool, err error) {
	if !w.hasStore() {
		return false, nil
	}
	err = ask()
	if err == nil || errors.Is(err, git.ErrMissing) || w.ctx.Err() != nil {
		return true, err
	}
	return false, nil
}

// hasStore reports whether there is a quick engine for this repository.
func (w *fallbackWalker) hasStore() bool {
	if !w.chosen {
		w.chosen = true
		if w.repo.PlainHistory() {
			w.store = &odbWalker{repo: w.repo, ctx: w.ctx}
		}
	}
	return w.store != nil
}

// References implements Walker.
func (w *fallbackWalker) References() (references []git.Tip, err error) {
	ok, err := w.quick(func() (err error) { references, err = w.store.References(); return err })
	if !ok {
		return w.program.References()
	}
	return references, err
}

// Broken implements Walker.
func (w *fallbackWalker) Broken() []string { return w.program.Broken() }

// Tips implements Walker.
func (w *fallbackWalker) Tips(references []git.Tip) (tips []git.Tip, err error) {
	ok, err := w.quick(func() (err error) { tips, err = w.store.Tips(references); return err })
	if !ok {
		return w.program.Tips(references)
	}
	return tips, err
}

// Walk implements Walker.
func (w *fallbackWalker) Walk(request Request) (g *Graph, err error) {
	ok, err := w.quick(func() (err error) { g, err = w.store.Walk(request); return err })
	if !ok {
		return w.program.Walk(request)
	}
	return g, err
}

// Message implements Walker.
func (w *fallbackWalker) Message(id git.Hash) (m Message, err error) {
	ok, err := w.quick(func() (err error) { m, err = w.store.Message(id); return err })
	if !ok {
		return w.program.Message(id)
	}
	return m, err
}

// Messages implements Walker.
func (w *fallbackWalker) Messages(ids []git.Hash, workers int, fn func(int, Message, error) error) error {
	if !w.hasStore() || w.store.open() != nil {
		return w.program.Messages(ids, workers, fn)
	}
	var again retry
	err := w.store.Messages(ids, workers, func(i int, m Message, err error) error {
		if again.wanted(ids, i, err) {
			return nil
		}
		return fn(i, m, err)
	})
	if err != nil || again.ids == nil {
		return err
	}
	return w.program.Messages(again.ids, 1, func(i int, m Message, err error) error { return fn(again.of[i], m, err) })
}

// Blobs implements Walker.
func (w *fallbackWalker) Blobs(ids []git.Hash, workers int, fn func(int, int, []byte, error) error) error {
	if !w.hasStore() || w.store.open() != nil {
		return w.program.Blobs(ids, workers, fn)
	}
	var again retry
	err := w.store.Blobs(ids, workers, func(worker, i int, data []byte, err error) error {
		if again.wanted(ids, i, err) {
			return nil
		}
		return fn(worker, i, data, err)
	})
	if err != nil || again.ids == nil {
		return err
	}
	return w.program.Blobs(again.ids, 1, func(_, i int, data []byte, err error) error { return fn(0, again.of[i], data, err) })
}

// retry collects the objects that the quick engine could not read: git may have another copy of them.
type retry struct {
	mutex sync.Mutex
	ids   []git.Hash
	of    []int // their indexes
}

// wanted reports whether an object is requested again.
func (s *retry) wanted(ids []git.Hash, i int, err error) bool {
	if err == nil || errors.Is(err, odb.ErrMissing) {
		return false
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.ids, s.of = append(s.ids, ids[i]), append(s.of, i)
	return true
}

// Close implements Walker.
func (w *fallbackWalker) Close() error {
	if w.store != nil {
		w.store.Close() //nolint:errcheck // nothing was written
	}
	return w.program.Close()
}
