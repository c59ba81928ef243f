package merge

import (
	"math"
	"math/bits"
)

// A knot is tasks that wait for each other, numbered in the order of their ids.
type knot struct {
	ids   []string
	fixed [][]int32 // edges that stay, by the task that they lead from
	tried [][]int32 // edges that are tried in order, by the task that they lead from
	edges int       // how many there are
	steps int

	sought int // steps to find ways; see way
}

// block is for how many tasks at once it is found which tasks lead to them.
const block = 64

// untie tries the edges one after the other, in the order of the tasks, and leaves
// out those that close a cycle with what is there before. The rest is the same as
// if each edge were tried by itself: whether one closes a cycle does not depend on
// other edges from the same task. It returns what stays of those tried, and how
// much that leaves out.
//
// The work is at most m·√m in the edges, but for a constant. Where trying all would
// take more, as with some ten thousand tasks in one knot and hardly more edges,
// the edges that lead to a task of a later component of the fixed ones go.
func (k *knot) untie() (kept [][]int32, dropped []drop) {
	kept = make([][]int32, len(k.ids))
	part := components(k.fixed)
	work := (len(k.ids)/block + 1) * (len(k.ids) + k.edges)
	if work > k.limit() {
		return k.cut(part)
	}
	k.steps += work
	for from := 0; from < len(k.ids); from += block {
		to := min(from+block, len(k.ids))
		leads := k.leading(kept, part, from, to)
		k.tryBlock(from, to, part, leads, func(v, w int32, ok bool) {
			if ok {
				kept[v] = append(kept[v], w)
			} else {
				dropped = append(dropped, drop{v, w})
			}
		})
	}
	return kept, dropped
}

// limit is how many steps it may take to break up the cycles.
func (k *knot) limit() int { return 1<<20 + 4*k.edges*int(math.Sqrt(float64(k.edges))) }

// A drop is an edge that was left out.
type drop struct{ from, to int32 }

func (k *knot) cut(part []int32) (kept [][]int32, dropped []drop) {
	kept = make([][]int32, len(k.ids))
	for v, tried := range k.tried {
		for _, w := range tried {
			if part[w] < part[v] {
				kept[v] = append(kept[v], w)
			} else {
				dropped = append(dropped, drop{int32(v), w})
			}
		}
	}
	return kept, dropped
}

// leading returns, for each component, which tasks of a block it is or leads to,
// over the fixed edges and those kept so far: a bit for each.
func (k *knot) leading(kept [][]int32, part []int32, from, to int) []uint64 {
	out := make([][]int32, len(k.ids)) // by component
	leads := make([]uint64, len(k.ids))
	for v := range k.ids {
		for _, some := range [...][]int32{k.fixed[v], kept[v]} {
			for _, w := range some {
				if part[v] != part[w] {
					out[part[v]] = append(out[part[v]], part[w])
				}
			}
		}
		if v >= from && v < to {
			leads[part[v]] |= 1 << (v - from)
		}
	}
	order := make([]int32, len(k.ids)) // components, those first that others lead to
	for p, at := range components(out) {
		order[at] = int32(p)
	}
	for _, p := range order {
		for _, q := range out[p] {
			leads[p] |= leads[q]
		}
	}
	return leads
}

// tryBlock tries the edges from the tasks of a block.
func (k *knot) tryBlock(from, to int, part []int32, leads []uint64, decide func(v, w int32, ok bool)) {
	var reach [block]uint64 // which tasks of the block each of them is or leads to by now
	for v := from; v < to; v++ {
		reach[v-from] = leads[part[v]]
	}
	through := func(w int32) uint64 {
		all := leads[part[w]]
		for left := all; left != 0; left &= left - 1 {
			all |= reach[bits.TrailingZeros64(left)]
		}
		return all
	}
	for v := from; v < to; v++ {
		self := uint64(1) << (v - from)
		var news uint64
		for _, w := range k.tried[v] {
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

// way returns a shortest way from one task to another over edges that stay, from
// its end to its beginning. It is nil once looking for ways took as long as a few
// looks at every edge: there may be as many ways as edges.
func (k *knot) way(kept [][]int32, from, to int32) []int32 {
	if k.sought > 1<<16+8*k.edges {
		return nil
	}
	before := make([]int32, len(k.ids)) // a task's number and 1
	before[from] = from + 1
	for queue := []int32{from}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		if v == to {
			path := []int32{v}
			for v != from {
				v = before[v] - 1
				path = append(path, v)
			}
			k.sought += len(before)
			return path
		}
		for _, some := range [...][]int32{k.fixed[v], kept[v]} {
			for _, w := range some {
				k.sought++
				if before[w] == 0 {
					before[w] = v + 1
					queue = append(queue, w)
				}
			}
		}
	}
	return nil
}
