package record

import (
	"cmp"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// An Event is one event as one commit records it: by what it did to the plan, by its message, or by both.
type Event struct {
	Name      plan.EventName // in the words of docs/history.md: "decomposed" and "superseded" are ways to leave
	Kind      plan.Kind      // of the record: a task, an issue, an item or the spec
	ID        string         // of the record; the spec itself
	CreatedAt string         // the record's time of creation, "" where it has none

	Unplanned bool   // neither plan has the record: ID is all there is
	Left      bool   // of a rejection: the task left the plan with it
	Rejects   bool   // of a tombstone: the attempt that it names stood done before, and does not after; or the message says that it was rejected
	Divided   bool   // of a cancellation: the message says that other tasks took its place
	Repeat    bool   // a tombstone that is not new here, so that a later one of its attempt and reason is no event either
	Inferred  bool   // nothing says that it ended so but how the record stood; of a rejection, that the task did not come back
	Change    string // digest of the fields that an edit changed, before and after
	Attempt   string // the word for the attempt that was done, rejected or accepted; "" in old plans
	DoneAt    string // what "done_at" says of it
	Reason    string // why it was rejected, killed or cancelled; of an edit, the reason as it stands in the tombstone now; of a move, the state, and why
	Successor string // the task that took the place of a rejected one

	At, By      string // when and by whom, as the message says
	Branch      string // as the message says
	Title       string // of the record, where only the message has it
	Spec        string // likewise; for the spec, the spec
	TrailerOnly bool   // the plan does not show it
	Evidence    bool   // of an acceptance: the message has receipts of the task's checks; see package evidence

	Before, After    string // the record as it is written; "" where it was not there, or is not known
	Redated          bool   // an edit gave it another time of creation,
	EarlierCreatedAt string // than this one, "" for none
}

// setAttempt takes over the attempt that a record names.
func (e *Event) setAttempt(r plan.Record) { e.Attempt, e.DoneAt = r.Attempt().ID, r.Attempt().DoneAt }

// Record returns the record that the event is of, as it is after it or was last.
func (e *Event) Record() plan.Record {
	var reader plan.LineReader
	record, _ := reader.Record(jsonl.Line{Text: cmp.Or(e.After, e.Before), Number: 1})
	return record
}

// AttemptKey returns what distinguishes the attempt from others, "" for events that are of none.
func (e *Event) AttemptKey() string {
	switch e.Name {
	case plan.EventDone, plan.EventRejected, plan.EventAccepted, plan.EventReopened, plan.EventCancelled, plan.EventEdited:
		return cmp.Or(e.Attempt, e.DoneAt)
	}
	return ""
}

// ReasonKey returns why, of events that two people may make for two reasons.
func (e *Event) ReasonKey() string {
	switch e.Name {
	case plan.EventRejected, plan.EventKilled, plan.EventEdited:
		return e.Reason
	}
	return ""
}

// same reports whether two events of one commit are one.
func (e Event) same(o Event) bool {
	return e.Name == o.Name && e.Kind == o.Kind && e.ID == o.ID && e.CreatedAt == o.CreatedAt && e.AttemptKey() == o.AttemptKey() && e.ReasonKey() == o.ReasonKey() &&
		e.At == o.At && e.By == o.By
}

// key is that of the event's record.
func (e Event) key() key { return key{e.Kind, e.ID} }

// Ends reports whether the event ends a task, issue or item.
func (e *Event) Ends() bool {
	switch e.Name {
	case plan.EventAccepted, plan.EventCancelled, plan.EventIssueDone, plan.EventItemRemoved:
		return true
	case plan.EventRejected:
		return e.Left
	}
	return false
}

// Begins reports whether a task, issue or item is in the plan with the event.
func (e *Event) Begins() bool {
	switch e.Name {
	case plan.EventAdded, plan.EventIssueAdded, plan.EventItemAdded, plan.EventReopened:
		return true
	}
	return false
}

func sortEvents(events []Event) { slices.SortStableFunc(events, compareEvents) }

// compareEvents orders the events of one commit: first what the plan shows to be new, then what the message has a time for,
// by that time, then the rest as lives go.
func compareEvents(a, b Event) int {
	return cmp.Or(
		cmp.Compare(a.class(), b.class()),
		strings.Compare(a.At, b.At),
		cmp.Compare(a.rank(), b.rank()),
		strings.Compare(string(a.Kind), string(b.Kind)),
		strings.Compare(a.ID, b.ID),
		strings.Compare(a.CreatedAt, b.CreatedAt),
		strings.Compare(a.AttemptKey(), b.AttemptKey()),
		strings.Compare(a.ReasonKey(), b.ReasonKey()),
		strings.Compare(a.By, b.By),
	)
}

func (e *Event) class() int {
	switch {
	case e.At != "":
		return 1
	case e.Name == plan.EventSpec || e.Name == plan.EventIssueAdded || e.Name == plan.EventItemAdded || e.Name == plan.EventAdded:
		return 0
	}
	return 2
}

func (e *Event) rank() int { return slices.Index(lifeOrder[:], e.Name) }

// lifeOrder is the order of events that nothing else orders.
var lifeOrder = [...]plan.EventName{
	plan.EventSpec, plan.EventIssueAdded, plan.EventItemAdded, plan.EventAdded, plan.EventEdited, plan.EventItemMoved, plan.EventKilled,
	plan.EventRejected, plan.EventReopened, plan.EventDone, plan.EventAccepted, plan.EventCancelled, plan.EventIssueDone, plan.EventItemRemoved,
}
