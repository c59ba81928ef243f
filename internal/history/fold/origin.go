package fold

import (
	"maps"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/history/record"
)

// An origin is what is known of where a commit was made.
type origin struct {
	branches []string
	logged   bool // a branch's reflog alone says it
}

// origins returns on which branches commits were made whose messages name none that is live, by the first rule that gives an
// answer: the merge that brought a commit in; the live branches that hold it when the main line does not; what the reflog of a
// branch says. It has nothing of those that are the main line's.
func (f *builder) origins() map[int32]origin {
	need := map[int32]bool{}
	for _, at := range f.nonempty {
		if slices.ContainsFunc(f.Entries[at].Events, func(t record.Event) bool { return !f.live[t.Branch] }) {
			need[at] = true
		}
	}
	found := map[int32]origin{}
	if len(need) == 0 {
		return found
	}
	main := f.mainLine()
	f.broughtIn(need, func(at int32, branches []string) bool {
		if main[at] && slices.Contains(branches, f.Main) { // as everything else that the main line holds
			return false
		}
		found[at] = origin{branches: branches}
		return true
	})
	f.held(need, main, found)
	f.logged(need, main, found)
	return found
}

// mainLine reports for each commit whether the main line holds it.
func (f *builder) mainLine() []bool {
	line := make([]bool, len(f.commits))
	descend(f.Graph, f.tipsOf(func(t Tip) bool { return t.Branch == f.Main && t.Branch != "" }), func(_ int, marks []uint64) {
		for at, m := range marks {
			line[at] = line[at] || m != 0
		}
	})
	return line
}

// tipsOf returns the positions of some tips, each once.
func (f *builder) tipsOf(wanted func(Tip) bool) []int32 {
	var places []int32
	for _, tip := range f.Tips {
		if at, known := f.places[tip.Commit]; known && wanted(tip) && !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	return places
}

// branchesAt returns the live branches that stand at a commit, by name.
func (f *builder) branchesAt(id git.Hash) (branches []string) {
	for _, tip := range f.Tips {
		if tip.Commit == id && tip.Branch != "" && !slices.Contains(branches, tip.Branch) {
			branches = append(branches, tip.Branch)
		}
	}
	slices.Sort(branches)
	return branches
}

// held finds the nearest live branches that hold commits which the main line does not: those that hold no other one that
// holds it, too. Of several, those count whose reflogs say that the commit was made there.
func (f *builder) held(need map[int32]bool, main []bool, found map[int32]origin) {
	tips := f.tipsOf(func(t Tip) bool { return t.Branch != "" && !main[f.place(t.Commit)] })
	wanted := slices.Clone(tips)
	for at := range need {
		if !main[at] {
			wanted = append(wanted, at)
		}
	}
	if len(wanted) == len(tips) {
		return
	}
	holders := f.reachedBy(tips, wanted)
	for _, at := range wanted[len(tips):] {
		near := slices.Clone(holders[at])
		for i, holds := range holders[at] {
			if !holds {
				continue
			}
			for j, below := range holders[tips[i]] {
				near[j] = near[j] && (!below || i == j)
			}
		}
		if branches := f.heldBy(tips, near); len(branches) > 0 {
			found[at] = origin{branches: branches}
			if all := f.heldBy(tips, holders[at]); len(all) > 1 {
				f.prefer(at, all, found)
			}
			delete(need, at)
		}
	}
}

// prefer puts branches whose reflogs say that a commit was made there in the place of others.
func (f *builder) prefer(at int32, among []string, found map[int32]origin) {
	made := slices.DeleteFunc(slices.Clone(f.branchReflogs().made[at]), func(b string) bool { return !slices.Contains(among, b) })
	if len(made) > 0 && !slices.Equal(made, found[at].branches) {
		found[at] = origin{made, true}
	}
}

// heldBy returns the branches that stand at some of the tips, by name.
func (f *builder) heldBy(tips []int32, some []bool) (branches []string) {
	for i, tip := range tips {
		if some[i] {
			branches = append(branches, f.branchesAt(f.commits[tip].ID)...)
		}
	}
	slices.Sort(branches)
	return slices.Compact(branches)
}

// reachedBy returns for each of some commits which of the tips reach it.
func (f *builder) reachedBy(tips, wanted []int32) map[int32][]bool {
	holders := make(map[int32][]bool, len(wanted))
	for _, at := range wanted {
		holders[at] = make([]bool, len(tips))
	}
	descend(f.Graph, tips, func(first int, marks []uint64) {
		for at, holds := range holders {
			for i := range tips[first:min(first+block, len(tips))] {
				holds[first+i] = marks[at]&(1<<i) != 0
			}
		}
	})
	return holders
}

// logged takes from the reflogs of branches what was made there, of commits that the main line holds by now; and from the main
// line's own reflog which branch brought them.
func (f *builder) logged(need map[int32]bool, main []bool, found map[int32]origin) {
	maps.DeleteFunc(need, func(at int32, _ bool) bool { return !main[at] })
	for at := range need {
		made := f.branchReflogs().made[at]
		if other := slices.DeleteFunc(slices.Clone(made), func(b string) bool { return b == f.Main }); len(other) > 0 {
			found[at] = origin{other, true}
		}
		if len(made) > 0 {
			delete(need, at)
		}
	}
	p := f.sideSearch()
	for _, move := range f.branchReflogs().forwards {
		if len(need) == 0 || move.branch == f.Main {
			continue
		}
		for _, at := range p.side(move.to, []int32{move.from}, need) {
			found[at] = origin{[]string{move.branch}, true}
			delete(need, at)
		}
	}
}
