package fold

import (
	"maps"
	"slices"
)

// A BranchState is the state of a branch that no event was made on.
type BranchState string

const (
	BranchUnknown BranchState = ""       // no reference, merge or rename names it
	BranchLive    BranchState = "live"   // the main line does not hold all of it
	BranchMerged  BranchState = "merged" // there is such a branch, and the main line holds all of it
	BranchFormer  BranchState = "former" // a merge names it, or it was renamed
)

// Main returns the name of the main line.
func (h *History) Main() string { return h.builder.Main }

// BranchState returns the state of a branch. Merges that brought no event are read only where nothing else has the name.
func (h *History) BranchState(branch string) BranchState {
	f := h.builder
	live, held := false, true
	main := f.mainLine()
	for _, tip := range f.Tips {
		if at := f.place(tip.Commit); tip.Branch == branch {
			live, held = true, held && at >= 0 && main[at]
		}
	}
	switch {
	case live && held:
		return BranchMerged
	case live:
		return BranchLive
	case slices.Contains(h.Branches(), branch):
		return BranchFormer
	}
	return BranchUnknown
}

// Branches returns the names of all branches that are live, or that an event, a merge or a rename names, by name.
func (h *History) Branches() []string {
	f := h.builder
	names := map[string]bool{}
	for _, tip := range f.Tips {
		names[tip.Branch] = true
	}
	for _, r := range f.branchReflogs().renamed {
		names[r.from] = true
	}
	for _, e := range h.Events {
		for _, branch := range e.Branches {
			names[branch] = true
		}
	}
	for at := range f.commits {
		if len(f.Parents(int32(at))) < 2 {
			continue
		}
		for _, name := range f.WithMessage(f.Entries[at], int32(at)).MergeNames() {
			names[f.localName(name)] = true
		}
	}
	delete(names, "")
	return slices.Sorted(maps.Keys(names))
}
