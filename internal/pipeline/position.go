package pipeline

import (
	"encoding/json"
	"slices"
)

// A Position says where a group is in the pipeline. It is what `git ralph pipeline position` prints.
type Position struct {
	Phase           Phase       `json:"phase"`
	Reason          string      `json:"reason"`
	RemainingPhases []string    `json:"remainingPhases"`
	Issues          []Issue     `json:"issues"`
	Convergence     Convergence `json:"convergence"`
	IsGroup         bool        `json:"isGroup"`
	GroupPrimary    *Ref        `json:"groupPrimary"` // null where it is no group
	SuggestedRoster Roster      `json:"suggestedRoster"`
}

// An Issue is one member of a group, in the words of GitHub.
type Issue struct {
	Number        Ref      `json:"number"`
	Title         string   `json:"title"`
	WorkflowState nullable `json:"workflowState"`
	Estimate      nullable `json:"estimate"`
	SubIssueCount int      `json:"subIssueCount"`
}

// A nullable is a text that is null in JSON where it is empty.
type nullable string

// MarshalJSON writes the text, or null.
func (n nullable) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(n))
}

// A Convergence says whether the members of a group are as far as the next phase requires.
type Convergence struct {
	Required       bool           `json:"required"`
	Met            bool           `json:"met"`
	Blocking       []Blocking     `json:"blocking"`
	Recommendation Recommendation `json:"recommendation"`
}

// A Blocking is a member that keeps its group from going on.
type Blocking struct {
	Number Ref      `json:"number"`
	State  nullable `json:"state"`
}

// A Recommendation says what a group should do about its convergence.
type Recommendation string

// The recommendations.
const (
	Proceed  Recommendation = "proceed"
	Wait     Recommendation = "wait"
	Escalate Recommendation = "escalate"
)

// Position returns where a group is. The roster depends on a formula and on how many streams were found, 0 as long as they
// were not looked for.
func (g *Group) Position(formula Formula, streams int) Position {
	phase, reason, blocking := g.phase()
	p := Position{
		Phase: phase, Reason: reason, RemainingPhases: phase.Remaining(), Issues: []Issue{},
		Convergence: g.convergence(phase, blocking), IsGroup: g.Multiple(),
		SuggestedRoster: g.roster(formula, phase, streams),
	}
	if g.Multiple() {
		primary := g.Primary().Ref()
		p.GroupPrimary = &primary
	}
	for _, it := range g.Members {
		p.Issues = append(p.Issues, Issue{
			it.Ref(), it.Title, nullable(it.State), nullable(it.Estimate), len(g.items.subItems[it.ID]),
		})
	}
	return p
}

// convergence returns what keeps a group from going on. Only a group's research and plan require that it converges.
func (g *Group) convergence(phase Phase, blocking []*Item) Convergence {
	c := Convergence{
		Required: g.Multiple() && (phase == Research || phase == Plan),
		Met:      len(blocking) == 0, Blocking: []Blocking{},
	}
	for _, it := range blocking {
		c.Blocking = append(c.Blocking, Blocking{it.Ref(), nullable(it.State)})
	}
	switch {
	case c.Met:
		c.Recommendation = Proceed
	case slices.ContainsFunc(blocking, in(HumanNeeded)):
		c.Recommendation = Escalate
	default:
		c.Recommendation = Wait
	}
	return c
}
