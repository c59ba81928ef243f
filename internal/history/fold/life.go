package fold

import (
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// A Status is how a task or issue stands.
type Status string

// The statuses of tasks. An issue is open, closed or lost.
const (
	Pending       Status = "pending"
	Done          Status = "done"
	Other         Status = "other" // in the plan, in a state that we do not know
	Accepted      Status = "accepted"
	Rejected      Status = "rejected"
	Cancelled     Status = "cancelled"
	Lost          Status = "lost"    // it left the plan, and no commit tells why: a merge dropped it
	UnknownStatus Status = "unknown" // HEAD's plan cannot be read
	Open          Status = "open"
	Closed        Status = "closed"
)

// A Life is the story of one task or issue.
type Life struct {
	Kind   plan.Kind
	ID     string
	Born   string      // its time of creation, "" where it has none
	Former []string    // ids that it had before merges gave it another
	Record plan.Record // as it is, or as it was when it left; zero where only messages tell of it
	Name   string
	Spec   string

	Status       Status
	Branch       string // that it was created on
	Author       string // address of who created it
	Created      *Event // nil where that is not at hand
	Done         *Event // the attempt that counts: of a done, accepted or rejected task
	Outcome      *Event // acceptance, rejection or cancellation; for an issue, its closing
	LastRejected *Event // of a pending task
	Elsewhere    bool   // Outcome is that of another tip than the one that knows the life: a conclusion
	Attempts     []Attempt

	DecomposedInto []string // the tasks that took the place of a cancelled one
	SupersededBy   string   // the task that took the place of a rejected one

	Events []*Event // all there are, the oldest first

	members []int
}

// An Attempt is one time that a task was done.
type Attempt struct {
	Done    *Event // nil where nothing at hand tells of it
	Outcome *Event // acceptance, rejection, reopening or cancellation; nil where it is open
}

// Has tells whether the life has or had an id.
func (l *Life) Has(id string) bool {
	if l.ID == id {
		return true
	}
	for _, former := range l.Former {
		if former == id {
			return true
		}
	}
	return false
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
// tells of it; a task that was superseded before anyone did it was not.
func (l *Life) end(e *Event, attempted bool) {
	for i := len(l.Attempts) - 1; i >= 0; i-- {
		a := &l.Attempts[i]
		if a.Outcome == nil && a.Done != nil && a.Done.sameAttempt(e) {
			a.Outcome = e
			return
		}
	}
	before := func(a Attempt) bool { // for another reason
		return a.Outcome != nil && a.Outcome.Name == e.Name && a.Outcome.attempt() == e.attempt()
	}
	if attempted && e.attempt() != "" && !slices.ContainsFunc(l.Attempts, before) {
		l.Attempts = append(l.Attempts, Attempt{Outcome: e})
	}
}

// sameAttempt tells whether two events are of one attempt.
func (e *Event) sameAttempt(o *Event) bool {
	if e.Attempt != "" && o.Attempt != "" {
		return e.Attempt == o.Attempt
	}
	if e.DoneAt != "" && o.DoneAt != "" {
		return strings.HasPrefix(e.DoneAt, o.DoneAt) || strings.HasPrefix(o.DoneAt, e.DoneAt)
	}
	return e.Attempt == "" && e.DoneAt == "" || o.Attempt == "" && o.DoneAt == ""
}
