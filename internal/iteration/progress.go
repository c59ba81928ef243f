package iteration

import (
	"slices"

	"git-ralph/internal/plan"
)

// isProgress reports whether steps are progress. Edits are none, nor is a task that is there again under its id, with another
// time of creation: history calls it another task, but the run has as much to do as before.
func isProgress(steps []plan.Event) bool {
	has := func(name plan.EventName, id string) bool {
		return slices.ContainsFunc(steps, func(s plan.Event) bool { return s.Name == name && s.ID == id })
	}
	return slices.ContainsFunc(steps, func(s plan.Event) bool {
		switch s.Name {
		case plan.EventEdited:
			return false
		case plan.EventCancelled:
			return !has(plan.EventAdded, s.ID)
		case plan.EventAdded:
			return !has(plan.EventCancelled, s.ID)
		}
		return true
	})
}

// count returns how many steps are of a kind.
func count(steps []plan.Event, what plan.EventName) int {
	n := 0
	for _, s := range steps {
		if s.Name == what {
			n++
		}
	}
	return n
}
