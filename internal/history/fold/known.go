package fold

import (
	"maps"
	"slices"
)

// Known says what a history knows of a branch that no event was made on.
type Known string

const (
	Unknown Known = ""       // nothing
	Live    Known = "live"   // the main line does not hold all of it
	Held    Known = "held"   // there is such a branch, and the main line holds all of it
	Merged  Known = "merged" // a merge names it, or it was renamed
)

// Main returns the name of the main line.
func (h *History) Main() string { return h.folder.Main }

// Known returns what is known of a branch. Merges that brought no event are read only where nothing else knows the name.
func (h *History) Known(branch string) Known {
	f := h.folder
	live, held := false, true
	main := f.mainLine()
	for _, tip := range f.Tips {
		if at := f.place(tip.Commit); tip.Branch == branch {
			live, held = true, held && at >= 0 && main[at]
		}
	}
	switch {
	case live && held:
		return Held
	case live:
		return Live
	case slices.Contains(h.Branches(), branch):
		return Merged
	}
	return Unknown
}

// Branches returns the names of all branches that are live, or that an event, a merge or a rename names, by name.
func (h *History) Branches() []string {
	f := h.folder
	names := map[string]bool{}
	for _, tip := range f.Tips {
		names[tip.Branch] = true
	}
	for _, r := range f.trail().renamed {
		names[r.from] = true
	}
	for _, e := range h.Events {
		for _, branch := range e.Branches {
			names[branch] = true
		}
	}
	for at := range f.commits {
		if len(f.parents(int32(at))) < 2 {
			continue
		}
		if m, err := f.Message(f.commits[at].ID); err == nil {
			for _, name := range mergeNames(m.Text) {
				names[f.localName(name)] = true
			}
		}
	}
	delete(names, "")
	return slices.Sorted(maps.Keys(names))
}
