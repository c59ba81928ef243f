package plan

import (
	"time"

	"git-ralph/internal/jsonl"
)

// A Stamp is what a mutation needs from outside.
type Stamp struct {
	Now    time.Time       // when it happens
	Random func(n int) int // a random number from 0 to n-1
	Known  []string        // ids of the plan's history, which no new record may have
}

// timeFormat is RFC 3339 with milliseconds; times are in UTC.
const timeFormat = "2006-01-02T15:04:05.000Z"

// FormatTime returns a time as records and commit messages hold it.
func FormatTime(t time.Time) string { return t.UTC().Format(timeFormat) }

// An EventName says what happened to a record.
type EventName string

// The events of a plan, as commit messages name them.
const (
	EventAdded      EventName = "added"
	EventEdited     EventName = "edited"
	EventDone       EventName = "done"
	EventReopened   EventName = "reopened"
	EventAccepted   EventName = "accepted"
	EventRejected   EventName = "rejected"
	EventCancelled  EventName = "cancelled"
	EventKilled     EventName = "killed"
	EventDecomposed EventName = "decomposed"
	EventSuperseded EventName = "superseded"
	EventIssueAdded EventName = "issue-added"
	EventIssueDone  EventName = "issue-done"
	EventSpec       EventName = "spec"
	EventUpdated    EventName = "updated"
)

// An Event is one thing that a mutation did. Commit messages tell events, so
// that a history that was flattened keeps them.
type Event struct {
	Name   EventName
	ID     string // of the record; the spec's path for EventSpec; empty for EventUpdated
	Title  string // the name of the task or issue, for people
	Detail []jsonl.Member
}

// A Change is what a mutation did to a plan.
type Change struct {
	Events  []Event
	Records []Record // that are new or changed, as they are now
	Removed []Record // that left the plan, as they were
}

// Empty tells whether nothing was changed.
func (c Change) Empty() bool { return len(c.Events) == 0 }

// Join returns the changes as one, in their order.
func Join(changes ...Change) Change {
	var all Change
	for _, c := range changes {
		all.Events = append(all.Events, c.Events...)
		all.Records = append(all.Records, c.Records...)
		all.Removed = append(all.Removed, c.Removed...)
	}
	return all
}

// event describes what happened to a record, with details of it that a
// flattened history would lose.
func event(name EventName, r Record, detail ...jsonl.Member) Event {
	kept := detail[:0]
	for _, m := range detail {
		if m.Value != "" {
			kept = append(kept, m)
		}
	}
	return Event{Name: name, ID: r.id, Title: r.Name(), Detail: kept}
}
