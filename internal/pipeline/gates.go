package pipeline

import (
	"strings"

	"git-ralph/internal/plan"
)

// A Gate is what pending tasks wait for until a person decides: a plan to approve, or an item that a person is needed for.
type Gate struct {
	Item   Ref      // whose plan it is, or that a person is needed for
	Plans  []string // the documents of a plan that awaits approval
	Awaits bool     // a plan awaits approval
	Reason string   // why a person is needed
}

// String says what is to be decided, on one line.
func (g Gate) String() string {
	if !g.Awaits {
		return strings.Join(strings.Fields(g.Item.String()+" needs a person: "+g.Reason), " ")
	}
	text := g.Item.String() + " awaits approval of its plan"
	if len(g.Plans) > 0 {
		text += " " + strings.Join(g.Plans, ", ")
	}
	return strings.Join(strings.Fields(text), " ") + " (`git ralph pipeline approve " + g.Item.String() + "`)"
}

// Gates returns what pending tasks of a plan wait for a person to decide, each once.
func Gates(p *plan.Plan) []Gate {
	b := newBuilder(p, nil)
	var gates []Gate
	var needed set
	for i := range b.tasks {
		t := &b.tasks[i]
		if !t.Pending() {
			continue
		}
		for _, it := range b.open(t.Members) {
			if it.State == HumanNeeded {
				needed.add(it)
			}
		}
		if t.Awaits() {
			gates = append(gates, b.gateOf(t))
		}
	}
	for _, it := range needed.items {
		item, _ := p.Item(it.ID)
		escalation, _ := item.Meta().Get(metaEscalation)
		gates = append(gates, Gate{Item: it.Ref(), Reason: textIn(escalation.Object(), "reason")})
	}
	return gates
}

// gateOf returns the gate of a review that awaits approval.
func (b *builder) gateOf(review *Task) Gate {
	g := Gate{Item: b.items.byID[review.Item].Ref(), Awaits: true}
	for _, id := range review.Members {
		item, _ := b.plan.Item(id)
		if name := artifactOf(item, StepPlan); name != "" {
			g.Plans = including(g.Plans, name)
		}
	}
	return g
}
