package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// plainHistory tells whether commits mean what their objects say, so that reading these is enough: nothing is grafted or
// cut off, and references are files.
func (r *Repo) plainHistory() bool {
	if r.reftable || hasAny(r.environ, []string{"GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_REPLACE_REF_BASE"}) {
		return false
	}
	for _, name := range []string{"shallow", "info/grafts"} {
		if info, err := os.Stat(filepath.Join(r.commonDir, filepath.FromSlash(name))); err == nil && info.Size() > 0 {
			return false
		}
	}
	return true
}

// replacing tells whether `git replace` was used.
func (r *Repo) replacing() bool {
	if list, err := os.ReadDir(filepath.Join(r.commonDir, "refs", "replace")); err == nil && len(list) > 0 {
		return true
	}
	data, err := os.ReadFile(filepath.Join(r.commonDir, "packed-refs"))
	return err != nil && !errors.Is(err, os.ErrNotExist) || strings.Contains(string(data), " refs/replace/")
}

// PlainHistory tells whether what a commit and its ancestors are follows from its id: nothing is replaced, grafted or cut
// off.
func (r *Repo) PlainHistory() bool { return r.plainHistory() && !r.replacing() }

// eitherWalker asks the quick engine, and git where that one cannot tell.
type eitherWalker struct {
	repo    *Repo
	ctx     context.Context
	chosen  bool
	store   *storeWalker // nil where history is not plain
	program *programWalker
}

// quick runs a question to the quick engine; not ok means that git is to be asked.
func (w *eitherWalker) quick(ask func() error) (ok bool, err error) {
	if !w.hasStore() {
		return false, nil
	}
	err = ask()
	if err == nil || errors.Is(err, ErrMissing) || w.ctx.Err() != nil {
		return true, err
	}
	return false, nil
}

// hasStore tells whether there is a quick engine for this repository.
func (w *eitherWalker) hasStore() bool {
	if !w.chosen {
		w.chosen = true
		if w.repo.PlainHistory() {
			w.store = &storeWalker{repo: w.repo, ctx: w.ctx}
		}
	}
	return w.store != nil
}

// References implements Walker.
func (w *eitherWalker) References() (references []Tip, err error) {
	ok, err := w.quick(func() (err error) { references, err = w.store.References(); return err })
	if !ok {
		return w.program.References()
	}
	return references, err
}

// Tips implements Walker.
func (w *eitherWalker) Tips(references []Tip) (tips []Tip, err error) {
	ok, err := w.quick(func() (err error) { tips, err = w.store.Tips(references); return err })
	if !ok {
		return w.program.Tips(references)
	}
	return tips, err
}

// Walk implements Walker.
func (w *eitherWalker) Walk(request Request) (g *Graph, err error) {
	ok, err := w.quick(func() (err error) { g, err = w.store.Walk(request); return err })
	if !ok {
		return w.program.Walk(request)
	}
	return g, err
}

// Message implements Walker.
func (w *eitherWalker) Message(id Hash) (m Message, err error) {
	ok, err := w.quick(func() (err error) { m, err = w.store.Message(id); return err })
	if !ok {
		return w.program.Message(id)
	}
	return m, err
}

// Messages implements Walker.
func (w *eitherWalker) Messages(ids []Hash, workers int, fn func(int, Message, error) error) error {
	if w.hasStore() && w.store.open() == nil {
		return w.store.Messages(ids, workers, fn)
	}
	return w.program.Messages(ids, workers, fn)
}

// Blobs implements Walker.
func (w *eitherWalker) Blobs(ids []Hash, workers int, fn func(int, int, []byte, error) error) error {
	if w.hasStore() && w.store.open() == nil {
		return w.store.Blobs(ids, workers, fn)
	}
	return w.program.Blobs(ids, workers, fn)
}

// Close implements Walker.
func (w *eitherWalker) Close() error {
	if w.store != nil {
		w.store.Close() //nolint:errcheck // nothing was written
	}
	return w.program.Close()
}
