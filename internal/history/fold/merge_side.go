package fold

import (
	"strings"

	"git-ralph/internal/git"
	"git-ralph/internal/history/record"
)

// broughtIn goes through the merges, the oldest first, and names the commits that each brought in: first those of the
// branches that were merged, then what was made before on the branch that a merge was made on. What name takes is not
// needed any more.
func (f *builder) broughtIn(need map[int32]bool, name func(at int32, branches []string) bool) {
	p := f.sideSearch()
	offer := func(brought []int32, branches []string) {
		for _, at := range brought {
			if len(branches) > 0 && name(at, branches) {
				delete(need, at)
			}
		}
	}
	var into []int32 // merges that name the branch that they were made on
	for at := len(f.commits) - 1; at >= 0 && len(need) > 0; at-- {
		parents := f.Parents(int32(at))
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
		parents := f.Parents(at)
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
func (f *builder) sideNames(at int32, side int, parent int32) []string {
	if name := f.sideName(at, side); name != "" {
		return []string{name}
	}
	if made := f.branchReflogs().made[parent]; len(made) > 0 {
		return made
	}
	id := f.commits[parent].ID
	branches := f.branchesAt(id)
	for _, branch := range f.branchReflogs().stood[id] {
		branches = with(branches, branch)
	}
	if branch := f.branchReflogs().merged[f.commits[at].ID]; len(branches) == 0 && branch != "" {
		return []string{branch}
	}
	return branches
}

// sideName returns the branch that a merge names for one of its parents: the first is the one that it was made on.
func (f *builder) sideName(at int32, side int) string {
	names := f.mergeNames(at)
	if side >= len(names) {
		return ""
	}
	return f.localName(names[side])
}

// localName returns the name of a branch that a merge names, without that of its remote.
func (f *builder) localName(name string) string {
	if rest, found := strings.CutPrefix(name, record.RemotePrefix); found {
		name, _ = git.CutRemote(rest, f.Remotes)
	}
	return name
}

// mark says from which sides of a merge a commit was reached.
type mark uint8

const (
	thisSide mark = 1 << iota
	otherSide
)

// A sideSearch finds what only one side of a merge reaches.
type sideSearch struct {
	*builder
	marks   []mark
	painted int // commits with this side's mark alone that were not passed yet
	low     int // commits from here
	high    int // to there have a mark
}

func (f *builder) sideSearch() *sideSearch {
	return &sideSearch{builder: f, marks: make([]mark, len(f.commits))}
}

// side returns the commits of need that are reached from a parent and from none of some others.
// Children come before parents, so that going by position a commit's marks are all there when it is reached.
func (p *sideSearch) side(side int32, others []int32, need map[int32]bool) []int32 {
	var found []int32
	p.low, p.high = len(p.commits), 0
	p.paint(side, thisSide)
	from := side
	for _, other := range others {
		if other >= 0 {
			p.paint(other, otherSide)
			from = min(from, other)
		}
	}
	for at := from; p.painted > 0 && int(at) < len(p.commits); at++ {
		c := p.marks[at]
		if c == 0 {
			continue
		}
		if c == thisSide {
			p.painted--
			if need[at] {
				found = append(found, at)
			}
		}
		for _, parent := range p.Parents(at) {
			if parent >= 0 {
				p.paint(parent, c)
			}
		}
	}
	clear(p.marks[p.low : p.high+1])
	p.painted = 0
	return found
}

func (p *sideSearch) paint(at int32, c mark) {
	before := p.marks[at]
	now := before | c
	p.marks[at] = now
	p.low, p.high = min(p.low, int(at)), max(p.high, int(at))
	switch {
	case before == 0 && now == thisSide:
		p.painted++
	case before == thisSide && now != thisSide:
		p.painted--
	}
}
