package plan

import (
	"slices"
	"time"

	"git-ralph/internal/jsonl"
)

// A Stamp holds what a mutation must not read by itself.
type Stamp struct {
	Now    time.Time       // the time of the mutation
	Random func(n int) int // a random number from 0 to n-1
	Known  func() []string // ids in the plan's history, which no new record gets; may be nil
}

// timeFormat is RFC 3339 with milliseconds; times are in UTC.
const timeFormat = "2006-01-02T15:04:05.000Z"

// FormatTime returns a time as records and commit messages hold it.
func FormatTime(t time.Time) string { return t.UTC().Format(timeFormat) }

// An EventName says what happened to a record.
type EventName string

// The events of a plan, as commit messages name them.
const (
	EventAdded       EventName = "added"
	EventEdited      EventName = "edited"
	EventDone        EventName = "done"
	EventReopened    EventName = "reopened"
	EventAccepted    EventName = "accepted"
	EventRejected    EventName = "rejected"
	EventCancelled   EventName = "cancelled"
	EventKilled      EventName = "killed"
	EventDecomposed  EventName = "decomposed"
	EventSuperseded  EventName = "superseded"
	EventIssueAdded  EventName = "issue-added"
	EventIssueDone   EventName = "issue-done"
	EventItemAdded   EventName = "item-added"
	EventItemMoved   EventName = "item-moved"
	EventItemRemoved EventName = "item-removed"
	EventSpec        EventName = "spec"
	EventUpdated     EventName = "updated"
)

// The beginnings of the trailers in the message of a plan commit; see docs/promises.md, "The commit message".
const (
	EventTrailer    = "Ralph-Event: "
	BranchTrailer   = "Ralph-Branch: "
	EvidenceTrailer = "Ralph-Evidence: "
	UndoTrailer     = "Ralph-Undo: "
	RedoTrailer     = "Ralph-Redo: "
)

// An Event is one thing that a mutation did. Commit messages list events, so
// that a squashed commit keeps them.
type Event struct {
	Name   EventName
	ID     string // of the record; the spec's path for EventSpec; empty for EventUpdated
	Title  string // the name of the task, issue or item, for people
	Detail []jsonl.Member
}

// Text returns a detail that is a string, else "".
func (e Event) Text(name string) string {
	for _, m := range e.Detail {
		if text, isText := m.Value.Str(); isText && m.Name == name {
			return text
		}
	}
	return ""
}

// A Change is what a mutation did to a plan.
type Change struct {
	Events  []Event
	Records []Record // that are new or changed, as they are now
	Removed []Record // that left the plan, as they were
}

// Empty reports whether nothing was changed.
func (c Change) Empty() bool { return len(c.Events) == 0 }

// change runs a mutation: all of it or, where it fails, nothing. Records that
// were read from the plan before stay as they were. A canonical plan stays
// canonical; in any other, existing lines keep their places.
func (p *Plan) change(mutate func() (Change, error)) (Change, error) {
	before, sorted := p.records, p.IsCanonical()
	p.records = slices.Clone(before)
	reset := p.resetKilled()
	c, err := mutate()
	if err == nil && c.Empty() {
		p.records = before
		return c, nil
	}
	if err == nil {
		reset.Join(c)
		c = reset.condensed()
		err = p.checkCycles(before, c)
	}
	if err != nil {
		p.records = before
		return Change{}, err
	}
	if sorted {
		p.records = arranged(p.records)
	}
	return c, nil
}

// Together runs a mutation that consists of others: all of them or, where one fails, none.
func (p *Plan) Together(mutate func() (Change, error)) (Change, error) { return p.change(mutate) }

// Join adds what another step of the mutation did.
func (c *Change) Join(step Change) {
	c.Events = append(c.Events, step.Events...)
	c.Records = append(c.Records, step.Records...)
	c.Removed = append(c.Removed, step.Removed...)
}

// An identity distinguishes the records of a plan. Tombstones and records of
// unknown kinds may share one.
type identity struct {
	kind Kind
	id   string
}

func (r *Record) identity() identity { return identity{r.kind, r.ID()} }

// condensed returns the change with each record once, in its final version. An added or edited record has no further events
// of edits.
func (c Change) condensed() Change {
	if len(c.Records) < 2 {
		return c
	}
	place := make(map[identity]int, len(c.Records))
	records := c.Records[:0:0]
	for _, r := range c.Records {
		at, again := place[r.identity()]
		if again && r.kind != KindReject {
			records[at] = r
			continue
		}
		place[r.identity()] = len(records)
		records = append(records, r)
	}
	gone := make(map[identity]bool, len(c.Removed))
	for _, r := range c.Removed {
		gone[r.identity()] = true
	}
	c.Records = slices.DeleteFunc(records, func(r Record) bool { return gone[r.identity()] })
	seen := map[string]bool{}
	c.Events = slices.DeleteFunc(slices.Clone(c.Events), func(e Event) bool {
		again := seen[e.ID]
		seen[e.ID] = again || e.Name == EventAdded || e.Name == EventEdited
		return e.Name == EventEdited && again
	})
	return c
}

// event describes what happened to a record, with those details of it that
// squashing commits would lose.
func event(name EventName, r Record, detail ...jsonl.Member) Event {
	kept := detail[:0]
	for _, m := range detail {
		if m.Value != "" {
			kept = append(kept, m)
		}
	}
	return Event{Name: name, ID: r.ID(), Title: r.Name(), Detail: kept}
}

// add puts a new record last.
func (p *Plan) add(r Record) {
	r.ending = p.ending()
	p.records = append(p.records, r)
}

// removeAll removes the records of a kind with any of ids, and returns them in
// the order of the file.
func (p *Plan) removeAll(kind Kind, ids []string) []Record {
	which := SetOf(ids)
	var removed []Record
	p.records = slices.DeleteFunc(p.records, func(r Record) bool {
		if r.kind != kind || !which[r.ID()] {
			return false
		}
		removed = append(removed, r)
		return true
	})
	return removed
}
