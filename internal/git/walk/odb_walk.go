package walk

import (
	"bytes"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"git-ralph/internal/git"
	"git-ralph/internal/git/odb"
)

// odbWalk is a walk over the repository's own files. Commits come from the commit-graph where they are in it. While one
// goroutine follows parents, others look up what the path holds.
type odbWalk struct {
	*odbWalker
	collector
	request Request
	paths   []odb.PathKeys

	byGraph []int32 // 1 + the number of the node at a position of the commit-graph
	edge    []int32 // room for parents in the commit-graph
	head    odb.CommitHeader
	ready   frontier[*node]
	order   []int32

	jobs   chan []*node
	batch  []*node
	failed atomic.Pointer[error]
}

// Nodes are looked up in batches. Neighbours in time are stored as differences from each other, so large batches repeat
// less work; small ones keep up with a walk that reads commits one by one.
const (
	batchOfGraph   = 2048
	batchOfCommits = 32
	queuedBatches  = 1 << 14
	maxLookups     = 4
)

// fewCommits is how many commits a walk that goes on from another one remembers: mostly their messages are requested next.
const fewCommits = 1 << 10

// walk runs to the end. What cannot be read is an error of the store.
func (w *odbWalk) walk() (*Graph, error) {
	if w.graph != nil {
		w.byGraph = make([]int32, w.graph.Len())
	}
	if w.filters {
		for _, path := range w.request.Paths {
			w.paths = append(w.paths, odb.NewPathKeys(path))
		}
	}
	w.jobs = make(chan []*node, queuedBatches)
	var workers sync.WaitGroup
	for i := range min(max(runtime.GOMAXPROCS(0)-1, 1), maxLookups) {
		reader := w.reader(i + 1)
		workers.Go(func() { w.look(reader) })
	}
	err := w.follow()
	w.send()
	close(w.jobs)
	if err == nil {
		w.look(w.reader(0))
	} else {
		w.failed.CompareAndSwap(nil, &err)
	}
	workers.Wait()
	if failed := w.failed.Load(); failed != nil {
		return nil, *failed
	}
	g := w.result(w.order)
	return g, w.inherit(g)
}

// follow lists all commits, newest first, and hands them to those who look up the path.
func (w *odbWalk) follow() error {
	for i := range w.request.Tips {
		if err := w.read(w.intern(&w.request.Tips[i])); err != nil {
			return err
		}
	}
	for w.ready.Len() > 0 && w.failed.Load() == nil {
		if w.ctx.Err() != nil {
			return context.Cause(w.ctx)
		}
		n := heap.Pop(&w.ready).(*node)
		w.order = append(w.order, n.number)
		if !n.same {
			w.enqueue(n)
		}
		for _, parent := range w.parents(n) {
			if err := w.read(w.node(parent)); err != nil {
				return err
			}
		}
	}
	return nil
}

// intern returns the node of a commit. It is not read yet when it is new.
func (w *odbWalk) intern(id *git.Hash) *node {
	if w.graph != nil {
		if at, ok := w.graph.Find(id); ok {
			return w.internAt(int32(at))
		}
	}
	n, _ := w.find(id)
	return n
}

// internAt returns the node of a commit by its position in the commit-graph.
func (w *odbWalk) internAt(at int32) *node {
	if number := w.byGraph[at]; number != 0 {
		return w.node(number - 1)
	}
	id := w.graph.ID(int(at))
	n := w.add(&id)
	n.graph = at
	w.byGraph[at] = n.number + 1
	return n
}

// read reads a commit the first time that it is met, and lists it unless it is known or missing.
func (w *odbWalk) read(n *node) error {
	if n.met {
		return nil
	}
	n.met = true
	if w.request.Known.has(n.id) {
		return nil
	}
	var err error
	if n.graph >= 0 {
		err = w.readGraph(n)
	} else {
		err = w.readObject(n)
	}
	if n.listed {
		heap.Push(&w.ready, n)
	}
	return err
}

func (w *odbWalk) readGraph(n *node) (err error) {
	n.at, w.edge, n.time, err = w.graph.Commit(int(n.graph), w.edge[:0])
	if err != nil {
		return err
	}
	parents := w.room(n, len(w.edge))
	for i, at := range w.edge {
		parents[i] = w.internAt(at).number
	}
	n.listed = true
	n.same = w.filters && !w.graph.MayChange(int(n.graph), w.paths)
	return nil
}

func (w *odbWalk) readObject(n *node) error {
	kind, data, err := w.reader(0).Object(&n.id)
	if errors.Is(err, odb.ErrMissing) || err == nil && kind != odb.Commit {
		return nil
	}
	if err == nil {
		err = odb.ParseCommit(data, w.size, &w.head)
	}
	if err != nil {
		return fmt.Errorf("commit %x: %w", n.id[:w.size], err)
	}
	if w.commits != nil && len(w.commits) < fewCommits {
		w.commits[n.id] = bytes.Clone(data)
	}
	n.at, n.time, n.listed = w.head.Tree, w.head.Time, true
	parents := w.room(n, len(w.head.Parents))
	for i := range w.head.Parents {
		parents[i] = w.intern(&w.head.Parents[i]).number
	}
	return nil
}

// enqueue hands a commit to those who look up the path.
func (w *odbWalk) enqueue(n *node) {
	w.batch = append(w.batch, n)
	size := batchOfCommits
	if n.graph >= 0 {
		size = batchOfGraph
	}
	if len(w.batch) >= size {
		w.send()
	}
}

func (w *odbWalk) send() {
	if len(w.batch) > 0 {
		w.jobs <- w.batch
		w.batch = make([]*node, 0, len(w.batch))
	}
}

// look finds what stands at the path until no batch is left.
func (w *odbWalk) look(reader *odb.Reader) {
	roots := &locatedRoots{Reader: reader}
	l := newPathLookup(roots, w.size, w.request.Paths)
	for batch := range w.jobs {
		if w.failed.Load() != nil {
			continue // so that nobody waits for a place in the queue
		}
		if err := roots.resolveAll(l, batch); err != nil {
			w.failed.CompareAndSwap(nil, &err)
			continue
		}
	}
}

// inherit sets, for the commits that do not change the path, the file of their first parent. Where that is unknown they are
// looked up after all.
func (w *odbWalk) inherit(g *Graph) error {
	if !w.filters {
		return nil
	}
	l := newPathLookup(w.reader(0), w.size, w.request.Paths)
	same := make([]*node, len(g.Commits))
	for _, number := range w.order {
		if n := w.node(number); n.same {
			same[n.place] = n
		}
	}
	for i, n := range slices.Backward(same) { // parents come first
		if n == nil {
			continue
		}
		c := &g.Commits[i]
		parents := g.Parents(i)
		if len(parents) == 0 {
			c.Plan = git.Hash{}
			continue
		}
		if first := parents[0]; first >= 0 && !g.Commits[first].planMissing {
			c.Plan, c.Path = g.Commits[first].Plan, g.Commits[first].Path
			continue
		}
		if err := l.resolve(n); err != nil {
			return err
		}
		c.Plan, c.Path, c.planMissing = n.at, n.path, n.missing
	}
	return nil
}
