package fold

import (
	"slices"

	"git-ralph/internal/plan"
)

// An Attempt is one time that a task was done.
type Attempt struct {
	Done     *Event   // nil where no commit records it
	Outcomes []*Event // acceptance, rejection, reopening, cancellation: one of each at most, several where branches differ
}

// attempts goes through the events of a task and finds its attempts.
func (l *Life) attempts() {
	for _, e := range l.Events {
		switch e.Name {
		case plan.EventDone:
			l.Attempts = append(l.Attempts, Attempt{Done: e})
		case plan.EventRejected, plan.EventAccepted:
			l.end(e, true)
		case plan.EventReopened, plan.EventCancelled:
			l.end(e, false)
		}
	}
}

// end gives an attempt its outcome: the one that the event names, else the last
// that is open. What was rejected or accepted was attempted, even where nothing
// records it; a task that was superseded before anyone did it was not.
func (l *Life) end(e *Event, attempted bool) {
	for i := range slices.Backward(l.Attempts) {
		a := &l.Attempts[i]
		if len(a.Outcomes) == 0 && a.Done != nil && a.Done.sameAttempt(e) {
			a.Outcomes = []*Event{e}
			return
		}
	}
	if !attempted || e.AttemptKey() == "" {
		return
	}
	judged := -1 // the attempt that another branch judged
	for i, a := range l.Attempts {
		if !slices.ContainsFunc(a.Outcomes, func(o *Event) bool { return o.AttemptKey() == e.AttemptKey() }) {
			continue
		}
		if slices.ContainsFunc(a.Outcomes, func(o *Event) bool { return o.Name == e.Name }) { // for another reason
			return
		}
		judged = i
	}
	if judged < 0 {
		l.Attempts = append(l.Attempts, Attempt{Outcomes: []*Event{e}})
		return
	}
	l.Attempts[judged].Outcomes = append(l.Attempts[judged].Outcomes, e)
}

// sameAttempt reports whether two events may be of one attempt. One that names none may be of any.
func (e *Event) sameAttempt(o *Event) bool {
	a, b := plan.Attempt{ID: e.Attempt, DoneAt: e.DoneAt}, plan.Attempt{ID: o.Attempt, DoneAt: o.DoneAt}
	return a == plan.Attempt{} || b == plan.Attempt{} || plan.SameAttempt(a, b)
}
