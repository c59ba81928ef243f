package merge

import (
	"math"
	"math/bits"
)

// A cycleGroup is a strongly connected component of the dependencies: tasks that all wait for each other, numbered in the
// order of their ids.
type cycleGroup struct {
	ids   []string
	fixed [][]int32 // edges that stay, by the task that they lead from
	tried [][]int32 // edges that are tried in order, by the task that they lead from
	edges int       // the number of both
	steps int

	pathSteps int // steps of searches for paths; see path
}

// block is the number of tasks for which paths are computed at once: one bit
// for each.
const block = 64

// breakCycles tries the edges one after the other, in the order of the tasks, and drops those that close a cycle with the
// edges before. Edges from the same task can be tried together: whether one closes a cycle does not depend on the others. It
// returns the kept and the dropped ones of the tried edges.
//
// The work is O(m·√m) for m edges. Where trying all edges would take more, as with ten thousand tasks in one group and
// hardly more edges, those that lead to a task of a later component of the fixed edges are dropped.
func (c *cycleGroup) breakCycles() (kept [][]int32, dropped []droppedEdge) {
	kept = make([][]int32, len(c.ids))
	part := components(c.fixed)
	work := (len(c.ids)/block + 1) * (len(c.ids) + c.edges)
	if work > c.limit() {
		return c.cut(part)
	}
	c.steps += work
	for from := 0; from < len(c.ids); from += block {
		to := min(from+block, len(c.ids))
		reaches := c.reachable(kept, part, from, to)
		c.tryBlock(from, to, part, reaches, func(v, w int32, ok bool) {
			if ok {
				kept[v] = append(kept[v], w)
			} else {
				dropped = append(dropped, droppedEdge{v, w})
			}
		})
	}
	return kept, dropped
}

// limit is the maximum number of steps for breaking up the cycles.
func (c *cycleGroup) limit() int { return 1<<20 + 4*c.edges*int(math.Sqrt(float64(c.edges))) }

// A droppedEdge is an edge that was left out.
type droppedEdge struct{ from, to int32 }

// cut is breakCycles where trying all edges would take too long.
func (c *cycleGroup) cut(part []int32) (kept [][]int32, dropped []droppedEdge) {
	kept = make([][]int32, len(c.ids))
	for v, tried := range c.tried {
		for _, w := range tried {
			if part[w] < part[v] {
				kept[v] = append(kept[v], w)
			} else {
				dropped = append(dropped, droppedEdge{int32(v), w})
			}
		}
	}
	return kept, dropped
}

// reachable returns, for each component of the fixed edges, which tasks of a block it contains or leads to, through the
// fixed edges and those kept so far: a bit for each.
func (c *cycleGroup) reachable(kept [][]int32, part []int32, from, to int) []uint64 {
	out := make([][]int32, len(c.ids)) // by component
	reaches := make([]uint64, len(c.ids))
	for v := range c.ids {
		for _, some := range [...][]int32{c.fixed[v], kept[v]} {
			for _, w := range some {
				if part[v] != part[w] {
					out[part[v]] = append(out[part[v]], part[w])
				}
			}
		}
		if v >= from && v < to {
			reaches[part[v]] |= 1 << (v - from)
		}
	}
	order := make([]int32, len(c.ids)) // components, those first that others lead to
	for p, at := range components(out) {
		order[at] = int32(p)
	}
	for _, p := range order {
		for _, q := range out[p] {
			reaches[p] |= reaches[q]
		}
	}
	return reaches
}

// tryBlock tries the edges from the tasks of a block.
func (c *cycleGroup) tryBlock(from, to int, part []int32, reaches []uint64, decide func(v, w int32, ok bool)) {
	var reach [block]uint64 // which tasks of the block each of them is or leads to by now
	for v := from; v < to; v++ {
		reach[v-from] = reaches[part[v]]
	}
	through := func(w int32) uint64 {
		all := reaches[part[w]]
		for left := all; left != 0; left &= left - 1 {
			all |= reach[bits.TrailingZeros64(left)]
		}
		return all
	}
	for v := from; v < to; v++ {
		self := uint64(1) << (v - from)
		var news uint64
		for _, w := range c.tried[v] {
			next := through(w)
			if decide(int32(v), w, next&self == 0); next&self == 0 {
				news |= next
			}
		}
		for i := range reach[:to-from] {
			if reach[i]&self != 0 {
				reach[i] |= news
			}
		}
	}
}

// path returns a shortest path from one task to another through edges that
// stay, from its end to its beginning. It is nil once such searches have taken
// as long as a few passes over all edges: there may be as many paths as edges.
func (c *cycleGroup) path(kept [][]int32, from, to int32) []int32 {
	if c.pathSteps > 1<<16+8*c.edges {
		return nil
	}
	before := make([]int32, len(c.ids)) // a task's number plus 1
	before[from] = from + 1
	for queue := []int32{from}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		if v == to {
			found := []int32{v}
			for v != from {
				v = before[v] - 1
				found = append(found, v)
			}
			c.pathSteps += len(before)
			return found
		}
		for _, some := range [...][]int32{c.fixed[v], kept[v]} {
			for _, w := range some {
				c.pathSteps++
				if before[w] == 0 {
					before[w] = v + 1
					queue = append(queue, w)
				}
			}
		}
	}
	return nil
}
