package walk

import (
	"bytes"
	"container/heap"

	"git-ralph/internal/git"
)

// Order returns the positions of a graph's commits in the order in which they should stand. All their parents are
// there.
func (g *Graph) Order() []int32 {
	commits := g.Commits
	children := make([]int32, len(commits))
	for i := range commits {
		for _, p := range g.Parents(i) {
			children[p]++
		}
	}
	ready := &newest{commits: commits}
	for i := range commits {
		if children[i] == 0 {
			heap.Push(ready, int32(i))
		}
	}
	order := make([]int32, 0, len(commits))
	for ready.Len() > 0 {
		at := heap.Pop(ready).(int32)
		order = append(order, at)
		for _, p := range g.Parents(int(at)) {
			if children[p]--; children[p] == 0 {
				heap.Push(ready, p)
			}
		}
	}
	return order
}

// Before reports whether a commit is listed before another as far as ancestry leaves it open: newest first, then by id.
func (c *Commit) Before(o *Commit) bool { return newer(c.Time, &c.ID, o.Time, &o.ID) }

func newer(a int64, aID *git.Hash, b int64, bID *git.Hash) bool {
	if a != b {
		return a > b
	}
	return bytes.Compare(aID[:], bID[:]) < 0
}

// newest is a heap of positions, the newest commit on top.
type newest struct {
	commits []Commit
	heap    []int32
}

func (h *newest) Len() int           { return len(h.heap) }
func (h *newest) Less(i, j int) bool { return h.commits[h.heap[i]].Before(&h.commits[h.heap[j]]) }
func (h *newest) Swap(i, j int)      { h.heap[i], h.heap[j] = h.heap[j], h.heap[i] }
func (h *newest) Push(x any)         { h.heap = append(h.heap, x.(int32)) }
func (h *newest) Pop() any {
	last := h.heap[len(h.heap)-1]
	h.heap = h.heap[:len(h.heap)-1]
	return last
}
