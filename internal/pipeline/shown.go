package pipeline

import (
	"slices"

	"git-ralph/internal/plan"
)

// Shown returns the states that readers see in place of those that the plan has, by the ids of items: while somebody works on a task, its
// items are in the lock state of its step, and an epic is done with its sub-items. Neither writes anything to the plan.
func Shown(p *plan.Plan, claimed map[string]bool) map[string]string {
	shown, items := map[string]string{}, Of(p)
	for _, it := range items.all {
		if state := items.State(it.ID); state != it.State {
			shown[it.ID] = state
		}
	}
	if len(claimed) == 0 {
		return shown
	}
	for _, t := range tasksOf(p, items) {
		if !t.Pending() || !claimed[t.ID()] || t.Step.Lock() == "" {
			continue
		}
		for _, id := range t.Items() {
			if state := items.byID[id].State; slices.Contains(t.Step.begins(), state) && state != t.Step.Lock() {
				shown[id] = t.Step.Lock()
			}
		}
	}
	return shown
}

// WithStates returns the items with other states.
func (s *Items) WithStates(states map[string]string) *Items {
	items := make([]Item, len(s.all))
	for i, it := range s.all {
		items[i] = *it
		if state := states[it.ID]; state != "" {
			items[i].State = state
		}
	}
	return NewItems(items)
}
