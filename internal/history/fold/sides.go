package fold

import (
	"container/heap"
	"math/bits"
	"slices"
)

// branches gives every event that the message names no branch for the branch
// that its commit was made on: that of the merge which brought the commit in,
// else the first of the tips that hold it.
func (f *folder) branches() map[int32]string {
	need := map[int32]bool{}
	for _, at := range f.noted {
		if slices.ContainsFunc(f.Notes[at].Told, func(t Told) bool { return t.Branch == "" }) {
			need[at] = true
		}
	}
	names := f.mergedIn(need)
	f.heldBy(need, names)
	return names
}

// mergedIn goes through the merges, the oldest first, and names the commits that
// each brought in. It takes them out of need.
func (f *folder) mergedIn(need map[int32]bool) map[int32]string {
	names := map[int32]string{}
	p := painter{folder: f, colours: make([]colour, len(f.commits))}
	for at := len(f.commits) - 1; at >= 0 && len(need) > 0; at-- {
		parents := f.commits[at].Parents
		for side := 1; side < len(parents); side++ {
			if parents[side] < 0 || parents[0] < 0 {
				continue
			}
			brought := p.side(parents[0], parents[side], need)
			if len(brought) == 0 {
				continue
			}
			name := f.sideName(int32(at), side)
			for _, c := range brought {
				if name != "" {
					names[c] = name
					delete(need, c)
				}
			}
		}
	}
	return names
}

// sideName returns the branch that a merge names for one of its parents.
func (f *folder) sideName(at int32, side int) string {
	if s, ok := f.speech(at); ok && side <= len(s.Branches) {
		return s.Branches[side-1]
	}
	return ""
}

// heldBy names commits after the first tip that holds them.
func (f *folder) heldBy(need map[int32]bool, names map[int32]string) {
	if len(need) == 0 {
		return
	}
	var tips []int32
	var branches []string
	for _, tip := range f.Tips {
		if at, ok := f.places[tip.Commit]; ok && tip.Branch != "" {
			tips, branches = append(tips, at), append(branches, tip.Branch)
		}
	}
	descend(f.commits, tips, func(first int, marks []uint64) {
		for at := range need {
			if m := marks[at]; m != 0 {
				names[at] = branches[first+bits.TrailingZeros64(m)]
				delete(need, at)
			}
		}
	})
}

// colour says from which sides of a merge a commit was reached.
type colour uint8

const (
	sideColour colour = 1 << iota
	mainColour
)

// A painter finds what only one side of a merge reaches.
type painter struct {
	*folder
	colours []colour
	touched []int32
	queue   positions
	open    int // commits in the queue of the side's colour alone
}

// side returns the commits of need that are reached from side and not from main.
// Going by position, children come before parents, so that a commit's colours
// are all there when its turn comes.
func (p *painter) side(main, side int32, need map[int32]bool) []int32 {
	var found []int32
	p.paint(main, mainColour)
	p.paint(side, sideColour)
	for p.open > 0 {
		at := heap.Pop(&p.queue).(int32)
		c := p.colours[at]
		if c == sideColour {
			p.open--
			if need[at] {
				found = append(found, at)
			}
		}
		for _, parent := range p.commits[at].Parents {
			if parent >= 0 {
				p.paint(parent, c)
			}
		}
	}
	for _, at := range p.touched {
		p.colours[at] = 0
	}
	p.touched, p.queue, p.open = p.touched[:0], p.queue[:0], 0
	return found
}

func (p *painter) paint(at int32, c colour) {
	before := p.colours[at]
	now := before | c
	p.colours[at] = now
	switch {
	case before == 0:
		p.touched = append(p.touched, at)
		heap.Push(&p.queue, at)
		if now == sideColour {
			p.open++
		}
	case before == sideColour && now != sideColour:
		p.open--
	}
}

// positions is a heap of commits, the lowest position on top.
type positions []int32

func (h positions) Len() int           { return len(h) }
func (h positions) Less(i, j int) bool { return h[i] < h[j] }
func (h positions) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *positions) Push(x any)        { *h = append(*h, x.(int32)) }
func (h *positions) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
