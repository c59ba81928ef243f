package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// A Phase is what a group needs next.
type Phase string

// The phases, in the order of the pipeline. A plan that waits for a person, and a group with nothing left to do, have no place
// in that order.
const (
	Split     Phase = "SPLIT"
	Triage    Phase = "TRIAGE"
	Research  Phase = "RESEARCH"
	Plan      Phase = "PLAN"
	Review    Phase = "REVIEW"
	Implement Phase = "IMPLEMENT"
	HumanGate Phase = "HUMAN_GATE"
	Terminal  Phase = "TERMINAL"
)

// Remaining returns the names of the phases that are left, this one first.
func (p Phase) Remaining() []string {
	phases := []Phase{Split, Triage, Research, Plan, Review, Implement, "PR"}
	at := slices.Index(phases, p)
	if at < 0 {
		at = len(phases)
	}
	names := []string{}
	for _, phase := range phases[at:] {
		names = append(names, strings.ToLower(string(phase)))
	}
	return names
}

// A rule gives the phase of a group by what is true of its members.
type rule struct {
	phase    Phase
	every    bool // it has to be true of every member, not just of one
	match    func(it *Item) bool
	blocking blocking
	reason   string // what is true of those members, after "are"
}

// blocking says which members keep a group from going on.
type blocking int

const (
	nothingBlocks blocking = iota
	matchesBlock
	othersBlock
)

// rules returns the rules, of which the first that applies decides.
func (g *Group) rules() []rule {
	oversized := func(it *Item) bool { return it.large() && !g.items.Epic(it.ID) }
	unknown := func(it *Item) bool { return plan.ItemStateRank(it.State) == 0 }
	return []rule{
		{Split, false, oversized, nothingBlocks, "too large to be worked on in one piece"},
		{Triage, false, in(""), nothingBlocks, "without a state"},
		{Research, false, in(ResearchNeeded, ResearchInProgress), matchesBlock, "still to be researched"},
		{Plan, true, in(ReadyForPlan), nothingBlocks, "ready for a plan"},
		{Review, false, in(PlanInProgress), nothingBlocks, "being planned"},
		{HumanGate, true, in(PlanInReview), nothingBlocks, "waiting until the plan is approved"},
		{Review, false, in(PlanInReview), nothingBlocks, "waiting until the plan is reviewed"},
		{Implement, false, in(InProgress), nothingBlocks, "being implemented"},
		{Terminal, true, in(InReview, Done, Canceled), nothingBlocks, "in review, done or canceled"},
		{Terminal, false, in(HumanNeeded), matchesBlock, "waiting for a person"},
		{Triage, false, in(Backlog), nothingBlocks, "in the backlog"},
		{Plan, false, in(ReadyForPlan), othersBlock, "ready for a plan"},
		{Triage, false, unknown, nothingBlocks, "in an unknown state"},
	}
}

// in returns a match for the items in one of some states.
func in(states ...string) func(it *Item) bool {
	return func(it *Item) bool { return slices.Contains(states, it.State) }
}

// phase returns the phase of a group, the reason, and the members that keep it from going on.
func (g *Group) phase() (Phase, string, []*Item) {
	for _, r := range g.rules() {
		matching, others := partition(g.Members, r.match)
		if len(matching) == 0 || r.every && len(others) > 0 {
			continue
		}
		blocks := map[blocking][]*Item{matchesBlock: matching, othersBlock: others}[r.blocking]
		return r.phase, reason(matching, len(g.Members), r.reason), blocks
	}
	return Triage, "there are no items", nil
}

// partition returns the elements for which match is true, and the others.
func partition[T any](all []T, match func(T) bool) (matching, others []T) {
	for _, one := range all {
		if match(one) {
			matching = append(matching, one)
		} else {
			others = append(others, one)
		}
	}
	return matching, others
}

// maxNamed is how many items a reason names.
const maxNamed = 5

// reason writes what is true of some of all members.
func reason(items []*Item, all int, what string) string {
	switch {
	case all == 1:
		return fmt.Sprintf("%s is %s", items[0].Ref(), what)
	case len(items) == all:
		return fmt.Sprintf("all %d items are %s", all, what)
	}
	var names []string
	for _, it := range items[:min(len(items), maxNamed)] {
		names = append(names, it.Ref().String())
	}
	if more := len(items) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	verb := "are"
	if len(items) == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%d of %d items %s %s: %s", len(items), all, verb, what, strings.Join(names, ", "))
}
