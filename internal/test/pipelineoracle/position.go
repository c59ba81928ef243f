package pipelineoracle

import "slices"

// A Position says where a group is in the pipeline.
type Position struct {
	Row            int // of the table, from 1
	Phase          string
	Remaining      []string
	Required, Met  bool
	Blocking       []Item
	Recommendation string
	IsGroup        bool
}

// Rows is how many rows the table of positions has.
const Rows = 14

// Find returns the position of a group, of which all are all items: the
// first row that applies.
func Find(all, group []Item) Position {
	p := Position{Met: true, IsGroup: len(group) > 1}
	p.Row, p.Phase = 14, "TRIAGE"

	in := func(states ...string) []Item {
		return keep(group, func(i Item) bool { return slices.Contains(states, i.State) })
	}
	any := func(states ...string) bool { return len(in(states...)) > 0 }
	each := func(states ...string) bool { return len(in(states...)) == len(group) }
	large := keep(group, func(i Item) bool { return Large(i) && len(subItems(all, i.ID)) == 0 })

	switch {
	case len(group) == 0:
		p.Row, p.Phase = 1, "TRIAGE"
	case len(large) > 0:
		p.Row, p.Phase = 2, "SPLIT"
	case any(""):
		p.Row, p.Phase = 3, "TRIAGE"
	case any("Research Needed", "Research in Progress"):
		p.Row, p.Phase = 4, "RESEARCH"
		p.Required, p.Met = p.IsGroup, false
		p.Blocking = in("Research Needed", "Research in Progress")
	case each("Ready for Plan"):
		p.Row, p.Phase = 5, "PLAN"
		p.Required = p.IsGroup
	case any("Plan in Progress"):
		p.Row, p.Phase = 6, "REVIEW"
	case each("Plan in Review"):
		p.Row, p.Phase = 7, "HUMAN_GATE"
	case any("Plan in Review"):
		p.Row, p.Phase = 8, "REVIEW"
	case any("In Progress"):
		p.Row, p.Phase = 9, "IMPLEMENT"
	case each("In Review", "Done", "Canceled"):
		p.Row, p.Phase = 10, "TERMINAL"
	case any("Human Needed"):
		p.Row, p.Phase = 11, "TERMINAL"
		p.Met, p.Blocking = false, in("Human Needed")
	case any("Backlog"):
		p.Row, p.Phase = 12, "TRIAGE"
	case any("Ready for Plan"):
		p.Row, p.Phase = 13, "PLAN"
		p.Required, p.Met = p.IsGroup, false
		p.Blocking = keep(group, func(i Item) bool { return i.State != "Ready for Plan" })
	}
	p.Blocking = sorted(p.Blocking)
	p.Remaining = remaining(p.Phase)
	p.Recommendation = recommendation(p)
	return p
}

// Large reports whether an item is too large to be done as one.
func Large(i Item) bool {
	return i.Estimate == "M" || i.Estimate == "L" || i.Estimate == "XL"
}

func remaining(phase string) []string {
	return map[string][]string{
		"SPLIT":     {"split", "triage", "research", "plan", "review", "implement", "pr"},
		"TRIAGE":    {"triage", "research", "plan", "review", "implement", "pr"},
		"RESEARCH":  {"research", "plan", "review", "implement", "pr"},
		"PLAN":      {"plan", "review", "implement", "pr"},
		"REVIEW":    {"review", "implement", "pr"},
		"IMPLEMENT": {"implement", "pr"},
	}[phase]
}

func recommendation(p Position) string {
	switch {
	case p.Met:
		return "proceed"
	case slices.ContainsFunc(p.Blocking, func(i Item) bool { return i.State == "Human Needed" }):
		return "escalate"
	}
	return "wait"
}
