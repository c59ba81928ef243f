package pipeline

import (
	"fmt"

	"git-ralph/internal/plan"
)

// A Roster says how many workers of each role a group needs.
type Roster struct {
	Analyst    int `json:"analyst"`
	Builder    int `json:"builder"`
	Validator  int `json:"validator"`
	Integrator int `json:"integrator"`
}

// A Formula is a way to compute a roster.
type Formula string

// The formulas, as ralph.roster names them.
const (
	SeedFormula  Formula = "seed"  // by the research that is left and the number of streams
	PhaseFormula Formula = "phase" // by the phase, and by how many large items there are
)

// ParseFormula reads the name of a formula. The default is SeedFormula.
func ParseFormula(text string) (Formula, error) {
	switch f := Formula(text); f {
	case "":
		return SeedFormula, nil
	case SeedFormula, PhaseFormula:
		return f, nil
	}
	return "", fmt.Errorf("invalid roster formula %q: want %s or %s", text, SeedFormula, PhaseFormula)
}

// MaxWorkers is how many workers of one role a roster suggests.
const MaxWorkers = 3

// RosterOf returns the roster for the items of a plan that ids name or, without ids, for those that have tasks. Items that were split are counted by their sub-items. claimed are the tasks that somebody works on.
func RosterOf(p *plan.Plan, ids []string, claimed map[string]bool, formula Formula) (Roster, error) {
	items := Of(p).WithStates(Shown(p, claimed))
	g := &Group{items: items}
	if len(ids) > 0 {
		var err error
		if g, err = items.Group(ids...); err != nil {
			return Roster{}, err
		}
	} else {
		for _, t := range tasksOf(p, items) {
			ids = append(ids, t.Members...)
		}
	}
	all := set{}
	for _, it := range g.Members {
		all.add(it)
	}
	for _, id := range ids {
		for _, leaf := range items.leaves(items.byID[id]) {
			all.add(leaf)
		}
	}
	g.Members = dependencyOrder(all.items)
	return g.Position(formula, g.KnownStreams()).SuggestedRoster, nil
}

// roster returns the workers that a group needs. There is one validator, since reviews are serial, and one integrator, since
// everything lands on one branch.
func (g *Group) roster(formula Formula, phase Phase, streams int) Roster {
	research, large := 0, 0
	for _, it := range g.Members {
		if needsResearch(it.State) {
			research++
		}
		if it.large() {
			large++
		}
	}
	r := Roster{Validator: 1, Integrator: 1}
	if formula == PhaseFormula {
		r.Analyst, r.Builder = analystsInPhase(phase, research), buildersFor(large)
	} else {
		r.Analyst, r.Builder = min(1+research/3, MaxWorkers), min(max(streams, 1), MaxWorkers)
	}
	return r
}

// analystsInPhase returns how many analysts a phase needs. After the research there is nothing for them to do.
func analystsInPhase(phase Phase, research int) int {
	switch {
	case phase != Split && phase != Triage && phase != Research:
		return 0
	case research <= 1:
		return 1
	case research <= 5:
		return 2
	}
	return MaxWorkers
}

// buildersFor returns how many builders so many large items need.
func buildersFor(large int) int {
	if large >= 5 {
		return 2
	}
	return 1
}
