package iteration

import (
	"slices"

	"git-ralph/internal/plan"
)

// isProgress reports whether steps are progress. Edits are not, and neither is a task that was removed and added again under its
// id: history treats it as another task, but the run has as much to do as before.
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

// count returns the number of steps of a kind.
func count(steps []plan.Event, what plan.EventName) int {
	n := 0
	for _, s := range steps {
		if s.Name == what {
			n++
		}
	}
	return n
}
