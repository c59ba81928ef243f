package historycmd

import (
	"encoding/hex"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// writeHistory writes {"tasks": […], "events": […]}.
func writeHistory(w term.Sink, h selection) {
	o := term.Object{Sink: w}
	o.Member("tasks")
	term.WriteArray(w, len(h.Tasks), func(i int) { h.writeLife(w, h.Tasks[i]) })
	o.Member("events")
	term.WriteArray(w, len(h.Events), func(i int) { h.writeEvent(w, h.Events[i]) })
	o.End()
}

// writeLife writes one task with its events.
func (h selection) writeLife(w term.Sink, l *fold.Life) {
	o := term.Object{Sink: w}
	h.lifeMembers(&o, l)
	o.End()
}

func (h selection) lifeMembers(o *term.Object, l *fold.Life) {
	w := o.Sink
	o.Str("id", l.ID)
	o.Str("desc", l.Name)
	o.Str("name", l.Name)
	o.StrOrNull("spec", l.Spec)
	o.Str("status", string(l.Status))
	o.StrOrNull("branch", l.Branch)
	o.StrOrNull("author", l.Author)
	h.moment(o, "created", l.Created)
	h.moment(o, "done", l.Done)
	if h.landed != nil && l.Status == fold.Done {
		o.Str("landed", string(h.landed(l)))
	}
	if l.Outcome != nil {
		h.momentFrom(o, string(l.Status), l.Outcome, l.Elsewhere || l.Outcome.Inferred)
	}
	h.moment(o, "last_rejected", l.LastRejected)
	o.Member("attempts")
	term.WriteList(w, len(l.Attempts), func(i int) { h.writeAttempt(w, l.Attempts[i]) })
	o.List("decomposed_into", l.DecomposedInto)
	o.StrIf("superseded_by", l.SupersededBy)
	o.List("renamed_from", l.Former)
}

func (h selection) writeAttempt(w term.Sink, a fold.Attempt) {
	o := term.Object{Sink: w}
	name := ""
	for _, e := range append([]*fold.Event{a.Done}, a.Outcomes...) {
		if e != nil && name == "" {
			name = e.Attempt
		}
	}
	o.StrIf("attempt", name)
	h.moment(&o, "done", a.Done)
	for _, e := range a.Outcomes {
		h.moment(&o, string(e.Name), e)
	}
	o.End()
}

// moment writes when something happened; nothing where it did not, or is not
// known.
func (h selection) moment(o *term.Object, name string, e *fold.Event) {
	h.momentFrom(o, name, e, false)
}

// momentFrom is moment for an event that may be inferred: from another branch, or from the plans alone.
func (h selection) momentFrom(o *term.Object, name string, e *fold.Event, inferred bool) {
	if e == nil {
		return
	}
	o.Member(name)
	m := term.Object{Sink: o.Sink}
	m.Str("commit", h.hex(e.Commit))
	m.StrOrNull("date", dateText(e.Date))
	switch e.Name {
	case plan.EventDone:
		m.StrIf("done_at", e.DoneAt)
	case plan.EventRejected:
		m.StrIf("done_at", e.DoneAt)
		m.StrIf("reason", e.Reason)
	}
	if e.Orphaned {
		m.Boolean("orphaned", true)
	}
	h.evidenceMember(&m, e)
	source := sourceOf(e, false)
	if inferred {
		source = "inferred"
	}
	m.StrIf("source", source)
	m.End()
}

func (h selection) writeEvent(w term.Sink, e *fold.Event) {
	o := term.Object{Sink: w}
	h.eventMembers(&o, e)
	o.End()
}

func (h selection) eventMembers(o *term.Object, e *fold.Event) {
	o.Str("event", string(e.Name))
	name, spec, id := "", e.Spec, ""
	if e.Life != nil {
		id, name, spec = e.Life.ID, e.Life.Name, e.Life.Spec
	}
	o.StrOrNull("id", id)
	o.Str("commit", h.hex(e.Commit))
	o.StrOrNull("date", dateText(e.Date))
	o.StrOrNull("author", e.Author)
	o.StrOrNull("branch", e.Branch)
	o.List("branches", e.Branches)
	o.StrIf("name", name)
	o.StrIf("spec", spec)
	o.StrIf("attempt", e.Attempt)
	o.StrIf("done_at", e.DoneAt)
	o.StrIf("reason", e.Reason)
	o.StrIf("superseded_by", e.Successor)
	if e.IsDecomposition() {
		o.Boolean("decomposed", true)
	}
	if e.Orphaned {
		o.Boolean("orphaned", true)
	}
	h.evidenceMember(o, e)
	o.StrIf("source", sourceOf(e, e.Logged))
	if len(e.Also) > 0 {
		also := make([]string, len(e.Also))
		for i, id := range e.Also {
			also[i] = h.hex(id)
		}
		o.List("also", also)
	}
}

// sourceOf returns where an event is known from, "" for the plan and the trailers of its commit.
func sourceOf(e *fold.Event, logged bool) string {
	switch {
	case e.TrailerOnly:
		return "trailer"
	case e.Inferred && e.Name != plan.EventRejected: // its tombstone records the rejection; only that it was the last event is inferred
		return "inferred"
	case logged:
		return "reflog"
	}
	return ""
}

func (h selection) hex(id git.Hash) string { return hex.EncodeToString(id[:h.idSize]) }

// dateText writes a date as RFC 3339, "" for one that cannot be written so. A zone
// of a day or more, which a commit may have, is ignored.
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
