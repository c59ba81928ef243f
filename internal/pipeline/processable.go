package pipeline

import (
	"slices"

	"git-ralph/internal/plan"
)

// Processable counts the items with a number on GitHub that an agent can go on with: those with a task that nothing blocks, and those
// without a task that are not at their end. Landing opens pull requests and merges them. known is false where no item has a number. An epic is what its sub-items are.
func Processable(p *plan.Plan) (n int, known bool) {
	items := Of(p)
	pending, free := map[string]bool{}, map[string]bool{}
	index := p.DepIndex()
	for _, t := range tasksOf(p, items) {
		if !t.Pending() {
			continue
		}
		for _, id := range t.Items() {
			pending[id] = true
			free[id] = free[id] || !t.Step.isIntegration() && !index.Blocked(&t.Record)
		}
	}
	for _, it := range items.all {
		if it.Number == 0 {
			continue
		}
		known = true
		over := slices.Contains([]string{Done, Canceled, HumanNeeded}, it.State)
		if !items.Epic(it.ID) && !over && (free[it.ID] || !pending[it.ID]) {
			n++
		}
	}
	return n, known
}
