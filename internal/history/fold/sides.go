package fold

import (
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
		parents := f.parents(int32(at))
		for side := 1; side < len(parents); side++ {
			if parents[side] < 0 || parents[0] < 0 && f.Part == nil { // what lies beyond a part reaches nothing in it
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
	descend(f.Graph, tips, func(first int, marks []uint64) {
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
	painted int // commits of the side's colour alone that were not passed yet
	low     int // commits from here
	high    int // to there have a colour
}

// side returns the commits of need that are reached from side and not from main,
// which may be none.
// Children come before parents, so that going by position a commit's colours are
// all there when its turn comes.
func (p *painter) side(main, side int32, need map[int32]bool) []int32 {
	var found []int32
	p.low, p.high = len(p.commits), 0
	p.paint(side, sideColour)
	from := side
	if main >= 0 {
		p.paint(main, mainColour)
		from = min(main, side)
	}
	for at := from; p.painted > 0 && int(at) < len(p.commits); at++ {
		c := p.colours[at]
		if c == 0 {
			continue
		}
		if c == sideColour {
			p.painted--
			if need[at] {
				found = append(found, at)
			}
		}
		for _, parent := range p.parents(at) {
			if parent >= 0 {
				p.paint(parent, c)
			}
		}
	}
	clear(p.colours[p.low : p.high+1])
	p.painted = 0
	return found
}

func (p *painter) paint(at int32, c colour) {
	before := p.colours[at]
	now := before | c
	p.colours[at] = now
	p.low, p.high = min(p.low, int(at)), max(p.high, int(at))
	switch {
	case before == 0 && now == sideColour:
		p.painted++
	case before == sideColour && now != sideColour:
		p.painted--
	}
}
