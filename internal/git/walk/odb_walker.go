package walk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"git-ralph/internal/git"
	"git-ralph/internal/git/config"
	"git-ralph/internal/git/odb"
)

// odbWalker is the engine that reads the repository's own files.
type odbWalker struct {
	repo    *git.Repo
	ctx     context.Context
	store   *odb.Store // nil until it is needed
	graph   *odb.Graph // nil where there is none
	filters bool       // whether it has Bloom filters
	readers []*odb.Reader

	commits map[git.Hash][]byte // that the last walk read, if they were few
}

// reader returns one of several readers, the same each time: they keep what they have unpacked.
func (w *odbWalker) reader(i int) *odb.Reader {
	for i >= len(w.readers) {
		w.readers = append(w.readers, w.store.Reader())
	}
	return w.readers[i]
}

// forget drops the readers and what they have unpacked. That is most of the memory of a walker, and of little use to the
// next query: after directories come files, and after files messages.
func (w *odbWalker) forget() { w.readers = nil }

// open opens the object store the first time. A commit-graph that cannot be read, or is not to be, is done without.
func (w *odbWalker) open() error {
	if w.store != nil {
		return nil
	}
	config, err := w.repo.Config(w.ctx)
	if err != nil {
		return err
	}
	store, err := odb.Open(w.repo.ObjectDir(), w.repo.IDSize(), w.alternates())
	if err != nil {
		return err
	}
	w.store = store
	if wanted, err := config.Bool("core.commitGraph", true); wanted && err == nil {
		w.graph, _ = store.Graph()
	}
	filters, err := config.Bool("commitGraph.readChangedPaths", true)
	w.filters = filters && err == nil && w.graph != nil && w.graph.HasFilters()
	return nil
}

// alternates returns the object directories in GIT_ALTERNATE_OBJECT_DIRECTORIES.
func (w *odbWalker) alternates() []string {
	var dirs []string
	list, _ := config.Getenv(w.repo.Git().Env, "GIT_ALTERNATE_OBJECT_DIRECTORIES")
	for _, dir := range filepath.SplitList(list) {
		if dir == "" || strings.HasPrefix(dir, `"`) {
			continue
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(cmp.Or(w.repo.Root(), w.repo.GitDir()), dir)
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// Walk implements Walker.
func (w *odbWalker) Walk(request Request) (*Graph, error) {
	if err := w.open(); err != nil {
		return nil, err
	}
	w.commits = nil
	if request.Known.Has != nil {
		w.commits = map[git.Hash][]byte{}
	}
	walk := &odbWalk{odbWalker: w, request: request}
	walk.size = w.repo.IDSize()
	walk.ready.before = (*node).before
	defer w.forget()
	return walk.walk()
}

// Message implements Walker.
func (w *odbWalker) Message(id git.Hash) (Message, error) {
	if err := w.open(); err != nil {
		return Message{}, err
	}
	return w.message(w.reader(0), &id, odb.Place{})
}

func (w *odbWalker) message(reader *odb.Reader, id *git.Hash, at odb.Place) (Message, error) {
	if data := w.commits[*id]; data != nil {
		return parseMessage(data), nil
	}
	kind, data, err := reader.ObjectAt(id, at)
	if errors.Is(err, odb.ErrMissing) || err == nil && kind != odb.Commit {
		return Message{}, fmt.Errorf("commit %x: %w: %w", id[:w.repo.IDSize()], git.ErrMissing, odb.ErrMissing)
	}
	if err != nil {
		return Message{}, err
	}
	return parseMessage(data), nil
}

// Messages implements Walker.
func (w *odbWalker) Messages(ids []git.Hash, workers int, fn func(int, int, Message, error) error) error {
	return w.share(ids, workers, func(worker, i int, at odb.Place) error {
		m, err := w.message(w.readers[worker], &ids[i], at)
		return fn(worker, i, m, err)
	})
}

// Blobs implements Walker.
func (w *odbWalker) Blobs(ids []git.Hash, workers int, fn func(int, int, []byte, error) error) error {
	return w.share(ids, workers, func(worker, i int, at odb.Place) error {
		data, err := w.blob(w.readers[worker], &ids[i], at)
		return fn(worker, i, data, err)
	})
}

// share reads objects in the order in which they are stored, divided among goroutines.
func (w *odbWalker) share(ids []git.Hash, workers int, read func(worker, i int, at odb.Place) error) error {
	if err := w.open(); err != nil {
		return err
	}
	order, places := w.store.Order(ids)
	var (
		all    sync.WaitGroup
		failed atomic.Pointer[error]
	)
	w.reader(workers - 1)
	for worker := range workers {
		stretch := order[worker*len(order)/workers : (worker+1)*len(order)/workers]
		readAll := func() {
			for _, i := range stretch {
				if failed.Load() != nil || w.ctx.Err() != nil {
					return
				}
				if err := read(worker, int(i), places[i]); err != nil {
					failed.CompareAndSwap(nil, &err)
				}
			}
		}
		if worker == workers-1 {
			readAll()
		} else {
			all.Go(readAll)
		}
	}
	all.Wait()
	if len(ids) > 1 { // who asks for one mostly asks for another
		w.forget()
	}
	if err := failed.Load(); err != nil {
		return *err
	}
	return context.Cause(w.ctx)
}

func (w *odbWalker) blob(reader *odb.Reader, id *git.Hash, at odb.Place) ([]byte, error) {
	kind, data, err := reader.ObjectAt(id, at)
	if err == nil && kind != odb.Blob {
		err = odb.ErrCorrupt
	}
	if err != nil {
		return nil, fmt.Errorf("file %x: %w: %w", id[:w.repo.IDSize()], git.ErrMissing, err)
	}
	return data, nil
}

// Close implements Walker.
func (w *odbWalker) Close() error {
	if w.store == nil {
		return nil
	}
	if w.graph != nil {
		w.graph.Close()
	}
	w.store.Close()
	w.store, w.graph, w.readers = nil, nil, nil
	return nil
}
