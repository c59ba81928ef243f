package walk

import (
	"bytes"
	"container/heap"

	"git-ralph/internal/git"
)

// Sort puts the commits of a graph in their order: of those whose children all stand already, the newest comes next. It
// returns where each stood before.
func (g *Graph) Sort() []int32 {
	order := g.order()
	places, commits := make([]int32, len(order)), make([]Commit, len(order))
	for to, from := range order {
		places[from], commits[to] = int32(to), g.Commits[from]
	}
	g.Commits = commits
	for i := range commits {
		parents := g.Parents(i)
		for j, p := range parents {
			if p >= 0 {
				parents[j] = places[p]
			}
		}
	}
	return order
}

func (g *Graph) order() []int32 {
	children := make([]int32, len(g.Commits)) // that do not stand yet; -1 for a commit that does
	for i := range g.Commits {
		for _, p := range g.Parents(i) {
			if p >= 0 {
				children[p]++
			}
		}
	}
	ready := &frontier[int32]{before: func(a, b int32) bool { return g.Commits[a].Before(&g.Commits[b]) }}
	enter := func(at int32) {
		children[at] = -1
		heap.Push(ready, at)
	}
	for i := range children {
		if children[i] == 0 {
			enter(int32(i))
		}
	}
	order := make([]int32, 0, len(g.Commits))
	for next := 0; len(order) < len(g.Commits); {
		if ready.Len() == 0 { // replaced commits may be their own ancestors: such a loop is entered somewhere
			for children[next] <= 0 {
				next++
			}
			enter(int32(next))
		}
		at := heap.Pop(ready).(int32)
		order = append(order, at)
		for _, p := range g.Parents(int(at)) {
			if p < 0 {
				continue
			}
			if children[p]--; children[p] == 0 {
				enter(p)
			}
		}
	}
	return order
}

// isSorted reports whether every child stands before its parents.
func (g *Graph) isSorted() bool {
	for i := range g.Commits {
		for _, p := range g.Parents(i) {
			if p >= 0 && p <= int32(i) {
				return false
			}
		}
	}
	return true
}

// Before reports whether a commit is listed before another as far as ancestry leaves it open: newest first, then by id.
func (c *Commit) Before(o *Commit) bool { return newer(c.Time, &c.ID, o.Time, &o.ID) }

func newer(a int64, aID *git.Hash, b int64, bID *git.Hash) bool {
	if a != b {
		return a > b
	}
	return bytes.Compare(aID[:], bID[:]) < 0
}

// A frontier is a heap of commits, the newest on top.
type frontier[T any] struct {
	commits []T
	before  func(a, b T) bool
}

func (f *frontier[T]) Len() int           { return len(f.commits) }
func (f *frontier[T]) Less(i, j int) bool { return f.before(f.commits[i], f.commits[j]) }
func (f *frontier[T]) Swap(i, j int)      { f.commits[i], f.commits[j] = f.commits[j], f.commits[i] }
func (f *frontier[T]) Push(x any)         { f.commits = append(f.commits, x.(T)) }
func (f *frontier[T]) Pop() any {
	last := f.commits[len(f.commits)-1]
	f.commits = f.commits[:len(f.commits)-1]
	return last
}
