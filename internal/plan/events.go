package plan

import "git-ralph/internal/jsonl"

// Events returns what happened to the tasks, issues and items between two plans, whoever changed them and how. Tasks of the old
// plan come first, then new ones, then issues. What is spelled differently but means the same is no event.
func Events(before, after *Plan) []Event {
	old, now := newLookup(before), newLookup(after)
	var events []Event
	add := func(name EventName, r Record) {
		events = append(events, Event{Name: name, ID: r.ID(), Title: r.Name()})
	}
	for _, was := range old.tasks.Records {
		id := was.ID()
		rejected := func(a Attempt) bool { return old.rejects(id, a) || now.rejects(id, a) }
		is, found := now.tasks.Find(id)
		fresh := now.attempts(id) > old.attempts(id)
		if found = found && was.SameTask(is); !found {
			departure := now.departure(was, rejected, before.Spec() != after.Spec())
			if was.Done() && fresh && departure != EventRejected {
				add(EventRejected, was)
			}
			add(departure, was)
			continue
		}
		if fresh {
			add(EventRejected, is)
		}
		if len(Edits(was, is)) > 0 {
			add(EventEdited, is)
		}
		for _, name := range StateEvents(was, is, rejected) {
			add(name, is)
		}
	}
	for _, is := range now.tasks.Records {
		if was, found := old.tasks.Find(is.ID()); !found || !was.SameTask(is) {
			add(EventAdded, is)
		}
	}
	for _, was := range old.issues.Records {
		if _, found := now.issues.Find(was.ID()); !found {
			add(EventIssueDone, was)
		}
	}
	for _, is := range now.issues.Records {
		if _, found := old.issues.Find(is.ID()); !found {
			add(EventIssueAdded, is)
		}
	}
	return append(events, itemEvents(before, after)...)
}

// itemEvents returns what happened to the items between two plans.
func itemEvents(before, after *Plan) []Event {
	old, now := NewRecordIndex(before.Of(KindItem)), NewRecordIndex(after.Of(KindItem))
	var events []Event
	add := func(name EventName, r Record, more ...jsonl.Member) {
		events = append(events, event(name, r, present(more...)...))
	}
	for _, was := range old.Records {
		is, found := now.Find(was.ID())
		if !found || !was.SameTask(is) {
			add(EventItemRemoved, was)
			continue
		}
		if was.Text("state") != is.Text("state") {
			add(EventItemMoved, is, jsonl.TextMember("from", was.Text("state")), jsonl.TextMember("to", is.Text("state")))
		}
		if len(Edits(was, is)) > 0 {
			add(EventEdited, is)
		}
	}
	for _, is := range now.Records {
		if was, found := old.Find(is.ID()); !found || !was.SameTask(is) {
			add(EventItemAdded, is)
		}
	}
	return events
}

// StateEvents returns how the state of a task changed between two plans that both have it: killed, then done or reopened. A
// task that is pending again because its attempt was rejected is not reopened.
func StateEvents(was, is Record, rejected func(Attempt) bool) []EventName {
	var events []EventName
	if kill := is.Text("kill"); kill != "" && (kill != was.Text("kill") || is.Text("kill_log") != was.Text("kill_log")) {
		events = append(events, EventKilled)
	}
	switch {
	case is.Done() && (!was.Done() || !SameAttempt(was.Attempt(), is.Attempt())):
		events = append(events, EventDone)
	case was.Done() && is.Pending() && !rejected(was.Attempt()):
		events = append(events, EventReopened)
	}
	return events
}

// A Departure holds what decides why a task is no longer in the plan.
type Departure struct {
	Replanned  bool // the plan is gone, or its spec is another one
	Superseded bool // a task supersedes it, and a tombstone names it
	Decomposed bool // a task has it as its parent
	Rejected   bool // a tombstone rejects its attempt
}

// Event returns what happened to the task.
func (d Departure) Event(task Record) EventName {
	switch {
	case d.Replanned:
		return EventCancelled
	case d.Superseded:
		return EventSuperseded
	case task.Text("done_at") == "" && d.Decomposed:
		return EventDecomposed
	case task.Text("done_at") == "":
		return EventCancelled
	case d.Rejected:
		return EventRejected
	}
	return EventAccepted
}

// A lookup finds the records of a plan.
type lookup struct {
	tasks, issues RecordIndex
	tombstones    map[string][]Record
	superseded    map[string]bool
	parents       map[string]bool
}

func newLookup(p *Plan) *lookup {
	l := &lookup{
		tasks: NewRecordIndex(p.Of(KindTask)), issues: NewRecordIndex(p.Of(KindIssue)),
		tombstones: map[string][]Record{}, superseded: map[string]bool{}, parents: map[string]bool{},
	}
	for _, r := range p.Of(KindReject) {
		l.tombstones[r.ID()] = append(l.tombstones[r.ID()], r)
	}
	for _, r := range l.tasks.Records {
		l.superseded[r.Text("supersedes")] = true
		l.parents[r.Text("parent")] = true
	}
	return l
}

// attempts returns how many tombstones name an attempt at a task.
func (l *lookup) attempts(id string) int {
	n := 0
	for _, r := range l.tombstones[id] {
		if r.Attempt() != (Attempt{}) {
			n++
		}
	}
	return n
}

func (l *lookup) rejects(id string, a Attempt) bool {
	for _, r := range l.tombstones[id] {
		if Rejected(a, r) {
			return true
		}
	}
	return false
}

func (l *lookup) departure(task Record, rejected func(Attempt) bool, replanned bool) EventName {
	id := task.ID()
	return Departure{
		Replanned: replanned, Superseded: l.superseded[id] && len(l.tombstones[id]) > 0, Decomposed: l.parents[id], Rejected: rejected(task.Attempt()),
	}.Event(task)
}
