package work

import (
	"maps"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// readyForOthers returns the tasks of other roles that wait for nothing.
func (w *Worker) readyForOthers() []*plan.Record {
	return slices.DeleteFunc(schedule.Of(w.target.plan).Ready(), w.takes)
}

// hasTaker reports whether another worker of this clone runs that takes a task.
func (w *Worker) hasTaker(task *plan.Record) bool {
	return w.anyOther(func(role string) bool { return takes(role, task) })
}

// withRoles lists tasks with their roles for a message.
func withRoles(tasks []*plan.Record) string {
	byRole := map[string][]*plan.Record{}
	for _, task := range tasks {
		byRole[task.Role()] = append(byRole[task.Role()], task)
	}
	var all []string
	for _, role := range slices.Sorted(maps.Keys(byRole)) {
		all = append(all, ids(byRole[role])+" (role "+role+")")
	}
	return strings.Join(all, ", ")
}

// A stillness is since when target and claims are as they are.
type stillness struct {
	state string
	since time.Time
}

// lasts reports whether a state has lasted for some time.
func (s *stillness) lasts(state string, enough time.Duration) bool {
	if s.since.IsZero() || s.state != state {
		*s = stillness{state, time.Now()}
	}
	return time.Since(s.since) >= enough
}

// startTime is how long a worker may take that was started together with this one, until its lock shows that it runs.
const startTime = 5 * time.Second

// maxStill is how long nothing may have changed where ready tasks of other roles are waited for. A worker that would take one may be
// at a review, which takes no longer than a lease; those of other clones are not seen.
func (w *Worker) maxStill(others []*plan.Record) time.Duration {
	if w.Claims.Remote() != "" || slices.ContainsFunc(others, w.hasTaker) {
		return w.Lease
	}
	return startTime
}

// stateOf describes the target and the claims of a survey.
func (w *Worker) stateOf(s survey) string {
	state := w.target.tip
	for _, id := range slices.Sorted(maps.Keys(s.seen)) {
		state += " " + s.seen[id].Held.Object
	}
	return state
}
