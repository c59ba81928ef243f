package fold

import (
	"strings"

	"git-ralph/internal/git"
)

// broughtIn goes through the merges, the oldest first, and names the commits that each brought in: first those of the
// branches that were merged, then what was made before on the branch that a merge was made on. What name takes is not
// needed any more.
func (f *folder) broughtIn(need map[int32]bool, name func(at int32, branches []string) bool) {
	p := f.painter()
	offer := func(brought []int32, branches []string) {
		for _, at := range brought {
			if len(branches) > 0 && name(at, branches) {
				delete(need, at)
			}
		}
	}
	var into []int32 // merges that name the branch that they were made on
	for at := len(f.commits) - 1; at >= 0 && len(need) > 0; at-- {
		parents := f.parents(int32(at))
		for side := 1; side < len(parents); side++ {
			if parents[side] < 0 || parents[0] < 0 && f.Part == nil { // what lies beyond a part reaches nothing in it
				continue
			}
			if brought := p.side(parents[side], parents[:1], need); len(brought) > 0 {
				offer(brought, f.sideNames(int32(at), side, parents[side]))
			}
		}
		if len(parents) > 1 && f.sideName(int32(at), 0) != "" {
			into = append(into, int32(at))
		}
	}
	for _, at := range into {
		parents := f.parents(at)
		if len(need) == 0 || parents[0] < 0 {
			continue
		}
		before := p.side(parents[0], parents[1:], need)
		if need[at] {
			before = append(before, at)
		}
		offer(before, []string{f.sideName(at, 0)})
	}
}

// sideNames returns the branch that a merge names for one of its parents, else the live ones that stand there or stood
// there: those that this was made on, if that is known.
func (f *folder) sideNames(at int32, side int, parent int32) []string {
	if name := f.sideName(at, side); name != "" {
		return []string{name}
	}
	if made := f.trail().made[parent]; len(made) > 0 {
		return made
	}
	id := f.commits[parent].ID
	branches := f.branchesAt(id)
	for _, branch := range f.trail().stood[id] {
		branches = with(branches, branch)
	}
	if branch := f.trail().merged[f.commits[at].ID]; len(branches) == 0 && branch != "" {
		return []string{branch}
	}
	return branches
}

// sideName returns the branch that a merge names for one of its parents: the first is the one that it was made on.
func (f *folder) sideName(at int32, side int) string {
	s, ok := f.speech(at)
	if !ok || side >= len(s.Branches) {
		return ""
	}
	return f.localName(s.Branches[side])
}

// localName returns the name of a branch that a merge names, without that of its remote.
func (f *folder) localName(name string) string {
	if rest, found := strings.CutPrefix(name, remotePrefix); found {
		name, _ = git.CutRemote(rest, f.Remotes)
	}
	return name
}

// colour says from which sides of a merge a commit was reached.
type colour uint8

const (
	sideColour colour = 1 << iota
	otherColour
)

// A painter finds what only one side of a merge reaches.
type painter struct {
	*folder
	colours []colour
	painted int // commits of the side's colour alone that were not passed yet
	low     int // commits from here
	high    int // to there have a colour
}

func (f *folder) painter() *painter {
	return &painter{folder: f, colours: make([]colour, len(f.commits))}
}

// side returns the commits of need that are reached from a parent and from none of some others.
// Children come before parents, so that going by position a commit's colours are
// all there when its turn comes.
func (p *painter) side(side int32, others []int32, need map[int32]bool) []int32 {
	var found []int32
	p.low, p.high = len(p.commits), 0
	p.paint(side, sideColour)
	from := side
	for _, other := range others {
		if other >= 0 {
			p.paint(other, otherColour)
			from = min(from, other)
		}
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
