package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"git-ralph/internal/git/odb"
)

// storeWalker is the engine that reads the repository's own files.
type storeWalker struct {
	repo    *Repo
	ctx     context.Context
	store   *odb.Store // nil until it is needed
	graph   *odb.Graph // nil where there is none
	filters bool       // whether it has Bloom filters
	readers []*odb.Reader
}

// reader gives one of several readers, the same each time: they keep what they have unpacked.
func (w *storeWalker) reader(i int) *odb.Reader {
	for i >= len(w.readers) {
		w.readers = append(w.readers, w.store.Reader())
	}
	return w.readers[i]
}

// open opens the object store the first time. A commit-graph that cannot be read, or is not to be, is done without.
func (w *storeWalker) open() error {
	if w.store != nil {
		return nil
	}
	config, err := w.repo.Config(w.ctx)
	if err != nil {
		return err
	}
	store, err := odb.Open(w.repo.objectDir(), w.repo.hexSize()/2, w.borrowed())
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

// borrowed are the further stores that the environment names.
func (w *storeWalker) borrowed() []string {
	var dirs []string
	list, _ := getenv(w.repo.env, "GIT_ALTERNATE_OBJECT_DIRECTORIES")
	for _, dir := range filepath.SplitList(list) {
		if dir == "" || strings.HasPrefix(dir, `"`) {
			continue
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(cmp.Or(w.repo.root, w.repo.gitDir), dir)
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// Walk implements Walker.
func (w *storeWalker) Walk(request Request) (*Graph, error) {
	if err := w.open(); err != nil {
		return nil, err
	}
	walk := &storeWalk{storeWalker: w, request: request}
	walk.size = w.repo.hexSize() / 2
	return walk.walk()
}

// Message implements Walker.
func (w *storeWalker) Message(id Hash) (Message, error) {
	if err := w.open(); err != nil {
		return Message{}, err
	}
	kind, data, err := w.reader(0).Object(&id)
	if errors.Is(err, odb.ErrMissing) || err == nil && kind != odb.Commit {
		return Message{}, fmt.Errorf("commit %x: %w", id[:w.repo.hexSize()/2], ErrMissing)
	}
	if err != nil {
		return Message{}, err
	}
	return parseMessage(data), nil
}

// Blobs implements Walker. Objects are read in the order in which they are stored, each goroutine its own stretch.
func (w *storeWalker) Blobs(ids []Hash, workers int, fn func(int, []byte, error) error) error {
	if err := w.open(); err != nil {
		return err
	}
	order := w.store.Order(ids)
	var (
		all    sync.WaitGroup
		failed atomic.Pointer[error]
	)
	for i := range workers {
		stretch := order[i*len(order)/workers : (i+1)*len(order)/workers]
		if len(stretch) == 0 {
			continue
		}
		reader := w.reader(i)
		read := func() {
			for _, i := range stretch {
				if failed.Load() != nil || w.ctx.Err() != nil {
					return
				}
				if err := w.blob(reader, ids[i], int(i), fn); err != nil {
					failed.CompareAndSwap(nil, &err)
				}
			}
		}
		if i == workers-1 {
			read()
		} else {
			all.Go(read)
		}
	}
	all.Wait()
	w.readers = nil // what they have unpacked is worth little to whoever asks next, and is the most that a walker holds
	if err := failed.Load(); err != nil {
		return *err
	}
	return context.Cause(w.ctx)
}

func (w *storeWalker) blob(reader *odb.Reader, id Hash, i int, fn func(int, []byte, error) error) error {
	kind, data, err := reader.Object(&id)
	if err == nil && kind != odb.Blob {
		err = odb.ErrCorrupt
	}
	if err != nil {
		return fn(i, nil, fmt.Errorf("file %x: %w: %v", id[:w.repo.hexSize()/2], ErrMissing, err))
	}
	return fn(i, data, nil)
}

// Close implements Walker.
func (w *storeWalker) Close() error {
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
