package fold

import (
	"cmp"
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// Told is one event as one commit tells it, by what it did to the plan, by its
// message, or by both.
type Told struct {
	Name plan.EventName // in the words of docs/history.md: "decomposed" and "superseded" are ways to leave
	Kind plan.Kind      // of the record: a task, an issue or the spec
	ID   string         // of the record; the spec itself
	Born string         // the record's time of creation, "" where it has none

	Loose     bool   // no version at hand holds the record: ID is all there is
	Left      bool   // of a rejection: the task left the plan with it
	Quiet     bool   // a tombstone that says nothing new here, but makes a later one of its attempt and reason no event
	Inferred  bool   // nothing says that it ended so but how the record stood; of a rejection, that the task did not come back
	Change    string // digest of the fields that an edit changed, before and after
	Attempt   string // the word for the attempt that was done, rejected or accepted; "" in old plans
	DoneAt    string // what "done_at" says of it
	Reason    string // why it was rejected or killed; of an edit, the reason as it stands in the tombstone now
	Successor string // the task that took the place of a rejected one

	At, By  string // when and by whom, as the message says
	Branch  string // as the message says
	Title   string // of the record, where only the message tells it
	Spec    string // likewise; for the spec, the spec
	Trailer bool   // the message alone tells it

	Before, After string // the record as it is written; "" where it was not there, or is not known
	Reborn        bool   // an edit gave it another time of creation,
	Earlier       string // than this one, "" for none
}

// of takes over the attempt that a record stands at.
func (t *Told) of(r plan.Record) { t.Attempt, t.DoneAt = r.Text("attempt"), r.Text("done_at") }

// attempt returns what tells this attempt from others, "" for events that are of
// none.
func (t *Told) attempt() string {
	switch t.Name {
	case plan.EventDone, plan.EventRejected, plan.EventAccepted, plan.EventReopened, plan.EventCancelled, plan.EventEdited:
		return cmp.Or(t.Attempt, t.DoneAt)
	}
	return ""
}

// reason returns why, of events that two people may make for two reasons.
func (t *Told) reason() string {
	switch t.Name {
	case plan.EventRejected, plan.EventKilled, plan.EventEdited:
		return t.Reason
	}
	return ""
}

// same tells whether two tellings of one commit are of one event.
func (t Told) same(o Told) bool {
	return t.Name == o.Name && t.Kind == o.Kind && t.ID == o.ID && t.Born == o.Born && t.attempt() == o.attempt() && t.reason() == o.reason() &&
		t.At == o.At && t.By == o.By
}

// ends tells whether a task or issue is gone with the event.
func (t *Told) ends() bool {
	switch t.Name {
	case plan.EventAccepted, plan.EventCancelled, plan.EventIssueDone:
		return true
	case plan.EventRejected:
		return t.Left
	}
	return false
}

// begins tells whether a task or issue is there with the event.
func (t *Told) begins() bool {
	switch t.Name {
	case plan.EventAdded, plan.EventIssueAdded, plan.EventReopened:
		return true
	}
	return false
}

func sortTold(told []Told) { slices.SortStableFunc(told, compareTold) }

// compareTold orders what one commit tells: first what the plan shows to be new,
// then what the message has a time for, by that time, then the rest as lives go.
func compareTold(a, b Told) int {
	return cmp.Or(
		cmp.Compare(a.class(), b.class()),
		strings.Compare(a.At, b.At),
		cmp.Compare(a.rank(), b.rank()),
		strings.Compare(string(a.Kind), string(b.Kind)),
		strings.Compare(a.ID, b.ID),
		strings.Compare(a.Born, b.Born),
		strings.Compare(a.attempt(), b.attempt()),
		strings.Compare(a.reason(), b.reason()),
		strings.Compare(a.By, b.By),
	)
}

func (t *Told) class() int {
	switch {
	case t.At != "":
		return 1
	case t.Name == plan.EventSpec || t.Name == plan.EventIssueAdded || t.Name == plan.EventAdded:
		return 0
	}
	return 2
}

func (t *Told) rank() int { return slices.Index(lifeOrder[:], t.Name) }

// lifeOrder is the order of events that nothing else orders.
var lifeOrder = [...]plan.EventName{
	plan.EventSpec, plan.EventIssueAdded, plan.EventAdded, plan.EventEdited, plan.EventKilled, plan.EventRejected,
	plan.EventReopened, plan.EventDone, plan.EventAccepted, plan.EventCancelled, plan.EventIssueDone,
}
