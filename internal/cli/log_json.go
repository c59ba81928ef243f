package cli

import (
	"encoding/hex"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// writeHistory writes {"tasks": […], "events": […]}.
func writeHistory(w sink, h selection) {
	o := object{sink: w}
	o.member("tasks")
	writeArray(w, len(h.tasks), func(i int) { h.writeLife(w, h.tasks[i]) })
	o.member("events")
	writeArray(w, len(h.events), func(i int) { h.writeEvent(w, h.events[i]) })
	o.end()
}

// writeLife writes the story of one task.
func (h selection) writeLife(w sink, l *fold.Life) {
	o := object{sink: w}
	h.lifeMembers(&o, l)
	o.end()
}

func (h selection) lifeMembers(o *object, l *fold.Life) {
	w := o.sink
	o.str("id", l.ID)
	o.str("desc", l.Name)
	o.str("name", l.Name)
	o.strOrNull("spec", l.Spec)
	o.str("status", string(l.Status))
	o.strOrNull("branch", l.Branch)
	o.strOrNull("author", l.Author)
	h.moment(o, "created", l.Created)
	h.moment(o, "done", l.Done)
	if l.Outcome != nil {
		h.momentFrom(o, string(l.Status), l.Outcome, l.Elsewhere || l.Outcome.Inferred)
	}
	h.moment(o, "last_rejected", l.LastRejected)
	o.member("attempts")
	writeList(w, len(l.Attempts), func(i int) { h.writeAttempt(w, l.Attempts[i]) })
	o.list("decomposed_into", l.DecomposedInto)
	o.strIf("superseded_by", l.SupersededBy)
	o.list("renamed_from", l.Former)
}

func (h selection) writeAttempt(w sink, a fold.Attempt) {
	o := object{sink: w}
	name := ""
	for _, e := range []*fold.Event{a.Done, a.Outcome} {
		if e != nil && name == "" {
			name = e.Attempt
		}
	}
	o.strIf("attempt", name)
	h.moment(&o, "done", a.Done)
	if a.Outcome != nil {
		h.moment(&o, string(a.Outcome.Name), a.Outcome)
	}
	o.end()
}

// moment writes when something happened; nothing where it did not, or where
// nothing tells of it.
func (h selection) moment(o *object, name string, e *fold.Event) { h.momentFrom(o, name, e, false) }

// momentFrom is moment of an event that may be a conclusion: that of another branch, or one that nothing says.
func (h selection) momentFrom(o *object, name string, e *fold.Event, inferred bool) {
	if e == nil {
		return
	}
	o.member(name)
	m := object{sink: o.sink}
	m.str("commit", h.hex(e.Commit))
	m.strOrNull("date", dateText(e.Date))
	switch e.Name {
	case plan.EventDone:
		m.strIf("done_at", e.DoneAt)
	case plan.EventRejected:
		m.strIf("done_at", e.DoneAt)
		m.strIf("reason", e.Reason)
	}
	if e.Lost {
		m.boolean("orphaned", true)
	}
	source := sourceOf(e, false)
	if inferred {
		source = "inferred"
	}
	m.strIf("source", source)
	m.end()
}

func (h selection) writeEvent(w sink, e *fold.Event) {
	o := object{sink: w}
	h.eventMembers(&o, e)
	o.end()
}

func (h selection) eventMembers(o *object, e *fold.Event) {
	o.str("event", string(e.Name))
	name, spec, id := "", e.Spec, ""
	if e.Life != nil {
		id, name, spec = e.Life.ID, e.Life.Name, e.Life.Spec
	}
	o.strOrNull("id", id)
	o.str("commit", h.hex(e.Commit))
	o.strOrNull("date", dateText(e.Date))
	o.strOrNull("author", e.Author)
	o.strOrNull("branch", e.Branch)
	o.list("branches", e.Branches)
	o.strIf("name", name)
	o.strIf("spec", spec)
	o.strIf("attempt", e.Attempt)
	o.strIf("done_at", e.DoneAt)
	o.strIf("reason", e.Reason)
	o.strIf("superseded_by", e.Successor)
	if e.Lost {
		o.boolean("orphaned", true)
	}
	o.strIf("source", sourceOf(e, e.Logged))
	if len(e.Also) > 0 {
		also := make([]string, len(e.Also))
		for i, id := range e.Also {
			also[i] = h.hex(id)
		}
		o.list("also", also)
	}
}

// sourceOf says what an event is known from, where that is not the plan with what its commit says.
func sourceOf(e *fold.Event, logged bool) string {
	switch {
	case e.Trailer:
		return "trailer"
	case e.Inferred && e.Name != plan.EventRejected: // a tombstone says that, if not that it was the end
		return "inferred"
	case logged:
		return "reflog"
	}
	return ""
}

// strIf writes a member that is not empty.
func (o *object) strIf(name, value string) {
	if value != "" {
		o.str(name, value)
	}
}

// list writes an array of strings that is not empty.
func (o *object) list(name string, values []string) {
	if len(values) > 0 {
		o.value(name, string(jsonl.List(values)))
	}
}

func (h selection) hex(id git.Hash) string { return hex.EncodeToString(id[:h.idSize]) }

// dateText writes a date as RFC 3339, "" for one that cannot be written so. A zone
// of a day or more, as a commit may claim, is none.
func dateText(t time.Time) string {
	const day = 24 * 60 * 60
	if _, zone := t.Zone(); zone <= -day || zone >= day {
		t = t.UTC()
	}
	if t.IsZero() || t.Year() > 9999 || t.Year() < 0 {
		return ""
	}
	return t.Format(time.RFC3339)
}
