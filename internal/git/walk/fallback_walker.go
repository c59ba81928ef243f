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

// withFallback asks the engine that reads files, and git if that one cannot answer.
func withFallback[T any](w *fallbackWalker, ask func(Walker) (T, error)) (T, error) {
	if w.hasStore() {
		got, err := ask(w.store)
		if err == nil || errors.Is(err, git.ErrMissing) || w.ctx.Err() != nil {
			return got, err
		}
	}
	return ask(w.program)
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
func (w *fallbackWalker) References() ([]git.Tip, error) { return withFallback(w, Walker.References) }

// Broken implements Walker.
func (w *fallbackWalker) Broken() []string { return w.program.Broken() }

// Tips implements Walker.
func (w *fallbackWalker) Tips(references []git.Tip) ([]git.Tip, error) {
	return withFallback(w, func(engine Walker) ([]git.Tip, error) { return engine.Tips(references) })
}

// Walk implements Walker.
func (w *fallbackWalker) Walk(request Request) (*Graph, error) {
	return withFallback(w, func(engine Walker) (*Graph, error) { return engine.Walk(request) })
}

// Message implements Walker.
func (w *fallbackWalker) Message(id git.Hash) (Message, error) {
	return withFallback(w, func(engine Walker) (Message, error) { return engine.Message(id) })
}

// Messages implements Walker.
func (w *fallbackWalker) Messages(ids []git.Hash, workers int, fn func(int, int, Message, error) error) error {
	return readWithFallback(w, Walker.Messages, ids, workers, fn)
}

// Blobs implements Walker.
func (w *fallbackWalker) Blobs(ids []git.Hash, workers int, fn func(int, int, []byte, error) error) error {
	return readWithFallback(w, Walker.Blobs, ids, workers, fn)
}

// readWithFallback has the quick engine read objects, and git those that it could not read.
func readWithFallback[T any](
	w *fallbackWalker, read func(Walker, []git.Hash, int, func(int, int, T, error) error) error,
	ids []git.Hash, workers int, fn func(int, int, T, error) error,
) error {
	if !w.hasStore() || w.store.open() != nil {
		return read(w.program, ids, workers, fn)
	}
	var again retry
	err := read(w.store, ids, workers, func(worker, i int, object T, err error) error {
		if again.wanted(ids, i, err) {
			return nil
		}
		return fn(worker, i, object, err)
	})
	if err != nil || again.ids == nil {
		return err
	}
	return read(w.program, again.ids, 1, func(_, i int, object T, err error) error { return fn(0, again.of[i], object, err) })
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
