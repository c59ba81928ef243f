package fold

import (
	"slices"

	"git-ralph/internal/git/walk"
)

// What reaches what in the graph is computed for many commits at once: a bit for
// each of 64 commits goes down or up the graph in one pass over it.
const block = 64

// descend marks, in one pass for each block of sources, all that can be reached
// from them, and hands the marks of every pass to visit: bit i of marks[at] says
// that source first+i reaches the commit at at.
func descend(g *walk.Graph, sources []int32, visit func(first int, marks []uint64)) {
	if len(sources) == 0 {
		return
	}
	marks := make([]uint64, len(g.Commits))
	for first := 0; first < len(sources); first += block {
		clear(marks)
		seed(marks, sources[first:min(first+block, len(sources))])
		for at := range g.Commits {
			if m := marks[at]; m != 0 {
				for _, p := range g.Parents(at) {
					if p >= 0 {
						marks[p] |= m
					}
				}
			}
		}
		visit(first, marks)
	}
}

// ascend is descend the other way: bit i of marks[at] says that the commit at at
// reaches source first+i. It is said of the commits from low(first+i) on.
func ascend(g *walk.Graph, sources []int32, low func(int) int32, visit func(first int, marks []uint64)) {
	if len(sources) == 0 {
		return
	}
	marks := make([]uint64, len(g.Commits))
	for first := 0; first < len(sources); first += block {
		few := sources[first:min(first+block, len(sources))]
		seed(marks, few)
		from, to := slices.Max(few), low(first)
		for i := range few {
			to = min(to, low(first+i))
		}
		for at := from; at >= to; at-- {
			m := marks[at]
			for _, p := range g.Parents(int(at)) {
				if p >= 0 {
					m |= marks[p]
				}
			}
			marks[at] = m
		}
		visit(first, marks)
		if to <= from {
			clear(marks[to : from+1])
		}
		unseed(marks, few)
	}
}

func unseed(marks []uint64, sources []int32) {
	for _, at := range sources {
		marks[at] = 0
	}
}

func seed(marks []uint64, sources []int32) {
	for i, at := range sources {
		if at != none {
			marks[at] |= 1 << i
		}
	}
}
