package fold

import (
	"git-ralph/internal/plan"
)

// A Status is the status of a task or issue.
type Status string

// The statuses of tasks. An issue is open, closed or lost, an item open, removed or lost.
const (
	Pending       Status = "pending"
	Done          Status = "done"
	Other         Status = "other" // in the plan, in a state that is not known
	Accepted      Status = "accepted"
	Rejected      Status = "rejected"
	Cancelled     Status = "cancelled"
	Lost          Status = "lost"    // it left the plan, and no commit says why: a merge dropped it
	UnknownStatus Status = "unknown" // HEAD's plan cannot be read
	Open          Status = "open"
	Closed        Status = "closed"
	Removed       Status = "removed"
)

// A Life is the history of one task, issue or item.
type Life struct {
	Kind      plan.Kind
	ID        string
	CreatedAt string      // its time of creation, "" where it has none
	Former    []string    // ids that it had before merges gave it another
	Record    plan.Record // as it is, or as it was when it left; zero where only messages mention it
	Name      string
	Spec      string

	Status       Status
	Branch       string // that it was created on
	Author       string // address of who created it
	Created      *Event // nil where no commit records it
	Done         *Event // the attempt that counts: of a done, accepted or rejected task
	Outcome      *Event // acceptance, rejection or cancellation; for an issue, its closing; for an item, its removal
	LastRejected *Event // of a pending task
	Elsewhere    bool   // Outcome is that of another tip than the one that reached the life: a conclusion
	Attempts     []Attempt

	DecomposedInto []string // the tasks that took the place of a cancelled one
	SupersededBy   string   // the task that took the place of a rejected one

	Events []*Event // all there are, the oldest first

	members []int
}

// Has reports whether the life has or had an id.
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

// StatusName returns the name of the status: a decomposed task is not one of those that were cancelled.
func (l *Life) StatusName() string {
	if l.Status == Cancelled && l.Outcome != nil && l.Outcome.decomposes {
		return string(plan.EventDecomposed)
	}
	return string(l.Status)
}

// IsDecomposition reports whether a task was cancelled because others took its place.
func (e *Event) IsDecomposition() bool { return e.decomposes }

// Word returns what people call an event of a record whose kind they know: "added" also of an issue.
func (e *Event) Word() string {
	if e.IsDecomposition() {
		return string(plan.EventDecomposed)
	}
	switch e.Name {
	case plan.EventIssueAdded, plan.EventItemAdded:
		return "added"
	case plan.EventIssueDone:
		return "closed"
	case plan.EventItemMoved:
		return "moved"
	case plan.EventItemRemoved:
		return "removed"
	}
	return string(e.Name)
}
