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
	Attempt   string // the word for the attempt that was done, rejected or accepted; "" in old plans
	DoneAt    string // what "done_at" says of it
	Reason    string // why it was rejected or killed
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
	case plan.EventDone, plan.EventRejected, plan.EventAccepted:
		return cmp.Or(t.Attempt, t.DoneAt)
	}
	return ""
}

// same tells whether two tellings of one commit are of one event.
func (t *Told) same(o Told) bool {
	return t.Name == o.Name && t.Kind == o.Kind && t.ID == o.ID && t.Born == o.Born && t.attempt() == o.attempt()
}

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
