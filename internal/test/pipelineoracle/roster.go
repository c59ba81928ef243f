package pipelineoracle

// A Roster says how many workers of each role a group is worth.
type Roster struct{ Analyst, Builder, Validator, Integrator int }

// SeedRoster is the formula by streams, of which there is one as long as
// none were looked for: that is after the research.
func SeedRoster(group []Item, looked bool) Roster {
	streams := 1
	if looked {
		streams = max(1, len(Streams(group)))
	}
	return Roster{
		Analyst:    min(3, 1+len(needResearch(group))/3),
		Builder:    min(3, 1+(streams-1)),
		Validator:  1,
		Integrator: 1,
	}
}

// PhaseRoster is the formula by phase.
func PhaseRoster(all, group []Item) Roster {
	r := Roster{Builder: 1, Validator: 1, Integrator: 1}
	switch Find(all, group).Phase {
	case "SPLIT", "TRIAGE", "RESEARCH":
		switch n := len(needResearch(group)); {
		case n <= 1:
			r.Analyst = 1
		case n <= 5:
			r.Analyst = 2
		default:
			r.Analyst = 3
		}
	}
	if len(keep(group, Large)) >= 5 {
		r.Builder = 2
	}
	return r
}

func needResearch(group []Item) []Item {
	return keep(group, func(i Item) bool {
		return i.State == "Research Needed" || i.State == "Research in Progress"
	})
}
