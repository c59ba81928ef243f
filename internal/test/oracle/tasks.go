package oracle

import (
	"slices"
	"sort"
	"strings"
	"time"
)

func (s *history) report() Report {
	r := Report{Tasks: []*Task{}, Events: []*Event{}}
	ends := map[*life]ending{}
	for _, l := range s.lives {
		ends[l] = s.end(l)
	}
	for _, e := range s.events {
		r.Events = append([]*Event{s.eventOf(e, ends)}, r.Events...)
	}
	for _, l := range s.lives {
		if l.kind == "task" {
			r.Tasks = append(r.Tasks, s.task(l, ends))
		}
	}
	return r
}

// ending is the status of a life at the tip that decides it.
type ending struct {
	record record
	here   bool
	events []*event
	last   *event // with which it ended
	other  bool   // as another tip says
	name   string
	spec   string
}

// recordIn finds what a commit's plan has of a life.
func recordIn(s *history, c *commit, l *life) record {
	if c == nil || c.plan == nil {
		return nil
	}
	for _, r := range c.plan.records {
		if k := r.text("t"); (k == "task" || k == "issue") && r.text("id") != "" && s.of[identity{k, r.text("id"), r.text("created_at")}.key()] == l {
			return r
		}
	}
	return nil
}

func (s *history) described(e ending, l *life) ending {
	for i := len(e.events) - 1; i >= 0 && e.record == nil; i-- {
		if e.record = e.events[i].after; e.record == nil {
			e.record = e.events[i].before
		}
	}
	e.name, e.spec = e.record.title(), e.record.text("spec")
	for i := len(e.events) - 1; i >= 0; i-- {
		if e.name == "" {
			e.name = e.events[i].title
		}
		if e.spec == "" {
			e.spec = e.events[i].recording.spec
		}
	}
	for i := len(s.ordered) - 1; i >= 0 && e.record == nil; i-- {
		if e.record = recordIn(s, s.ordered[i], l); e.record != nil {
			e.name, e.spec = e.record.title(), e.record.text("spec")
		}
	}
	return e
}

func (e ending) newest(names ...string) *event {
	for i := len(e.events) - 1; i >= 0; i-- {
		if slices.Contains(names, e.events[i].name) {
			return e.events[i]
		}
	}
	return nil
}

func (s *history) task(l *life, ends map[*life]ending) *Task {
	e := ends[l]
	t := &Task{ID: l.id, Desc: e.name, Name: e.name, Spec: orNil(e.spec), RenamedFrom: l.former, Attempts: []Attempt{}}
	for _, ev := range e.events {
		if ev.name == "added" && t.Created == nil {
			t.Created = s.moment(ev)
			t.Branch, t.Author = orNil(ev.branch), orNil(s.authorOf(ev))
		}
	}
	if t.Created == nil && len(e.events) > 0 {
		t.Branch, t.Author = orNil(e.events[0].branch), orNil(s.authorOf(e.events[0]))
	}
	s.setStatus(t, e)
	s.attempts(t, l)
	if t.Status == "cancelled" {
		t.DecomposedInto = s.decomposedInto(l, ends)
	}
	return t
}

// children are the tasks that name one as their parent.
func (s *history) children(l *life, ends map[*life]ending) (of []*life) {
	for _, other := range s.lives {
		parent := ends[other].record.text("parent")
		if other.kind == "task" && parent != "" && (parent == l.id || slices.Contains(l.former, parent)) {
			of = append(of, other)
		}
	}
	return of
}

// decomposedInto are the tasks that took the place of a cancelled one: those that had not left before it did.
func (s *history) decomposedInto(l *life, ends map[*life]ending) (ids []string) {
	end := ends[l].last.commit
	for _, child := range s.children(l, ends) {
		gone := false
		for _, e := range child.events {
			for _, t := range e.copies {
				gone = gone || t.ends() && end.above[t.commit] && !undone(child, t, []*commit{end})
			}
		}
		if !gone {
			ids = append(ids, child.id)
		}
	}
	sort.Strings(ids)
	return slices.Compact(ids)
}

// decomposes reports whether others took the place of a task with a cancellation: a message says so, one comes in the same commit, or it is
// how the task ended, and there are some.
func (s *history) decomposes(e *event, ends map[*life]ending) bool {
	if e.name != "cancelled" {
		return false
	}
	for _, c := range e.copies {
		if c.divided {
			return true
		}
		for _, child := range s.children(e.life, ends) {
			for _, o := range child.events {
				for _, t := range o.copies {
					if t.commit == c.commit && (t.event == "added" || t.event == "reopened") {
						return true
					}
				}
			}
		}
	}
	end := ends[e.life]
	return !s.head.unknowable() && !end.here && end.last == e && len(s.decomposedInto(e.life, ends)) > 0
}

// unknowable reports whether nothing can be said of how tasks stand for HEAD.
func (c *commit) unknowable() bool { return c != nil && c.unknown }

func (s *history) setStatus(t *Task, e ending) {
	if s.head != nil && s.head.unknown {
		t.Status = "unknown"
		return
	}
	if e.here {
		switch {
		case e.record.done():
			t.Status = "done"
			t.Done = s.moment(e.newest("done"))
		case e.record.pending():
			t.Status = "pending"
			t.LastRejected = s.moment(e.newest("rejected"))
		default:
			t.Status = "other"
		}
		return
	}
	t.Status = "lost"
	if last := e.last; last != nil {
		switch last.name {
		case "accepted":
			t.Status, t.Accepted = "accepted", s.moment(last)
		case "rejected":
			t.Status, t.Rejected, t.SupersededBy = "rejected", s.moment(last), last.successor
		case "cancelled":
			t.Status, t.Cancelled = "cancelled", s.moment(last)
		}
		for _, m := range []*Moment{t.Accepted, t.Rejected, t.Cancelled} {
			if m != nil && (e.other || s.concluded(last)) {
				m.Source = "inferred"
			}
		}
	}
	if t.Status == "accepted" || t.Status == "rejected" {
		t.Done = s.moment(e.newest("done"))
	} else if d := e.newest("done", "rejected", "reopened"); d != nil && d.name == "done" {
		t.Done = s.moment(d)
	}
}

func (s *history) attempts(t *Task, l *life) {
	var done []*event
	var outcomes [][]*event
	for _, e := range l.events {
		if e.name == "done" {
			t.Attempts = append(t.Attempts, Attempt{Attempt: e.attempt, Done: s.moment(e)})
			done, outcomes = append(done, e), append(outcomes, nil)
			continue
		}
		if !slices.Contains([]string{"rejected", "accepted", "reopened", "cancelled"}, e.name) {
			continue
		}
		at := -1
		for i := range t.Attempts {
			a := &t.Attempts[i]
			open := a.Accepted == nil && a.Rejected == nil && a.Reopened == nil && a.Cancelled == nil
			if done[i] == nil || !open {
				continue
			}
			d := done[i]
			vague := d.attempt == "" && d.doneAt == "" || e.attempt == "" && e.doneAt == ""
			precise := d.attempt != "" && e.attempt != "" || d.doneAt != "" && e.doneAt != ""
			if precise && sameAttempt(d.attempt, d.doneAt, e.attempt, e.doneAt) || !precise && vague {
				at = i
			}
		}
		if at < 0 {
			if e.name != "rejected" && e.name != "accepted" || e.mark() == "" {
				continue
			}
			again := false
			for i, ends := range outcomes {
				if slices.ContainsFunc(ends, func(o *event) bool { return o.mark() == e.mark() }) {
					at = i
					again = again || slices.ContainsFunc(ends, func(o *event) bool { return o.name == e.name })
				}
			}
			if again {
				continue
			}
		}
		if at < 0 {
			t.Attempts = append(t.Attempts, Attempt{Attempt: e.attempt})
			done, outcomes = append(done, nil), append(outcomes, nil)
			at = len(done) - 1
		}
		outcomes[at] = append(outcomes[at], e)
		a := &t.Attempts[at]
		if a.Attempt == "" {
			a.Attempt = e.attempt
		}
		a.end(e.name, s.moment(e))
	}
}

// end records how the attempt ended.
func (a *Attempt) end(name string, m *Moment) {
	switch name {
	case "rejected":
		a.Rejected = m
	case "accepted":
		a.Accepted = m
	case "reopened":
		a.Reopened = m
	case "cancelled":
		a.Cancelled = m
	}
}

func (s *history) moment(e *event) *Moment {
	if e == nil {
		return nil
	}
	m := &Moment{Commit: e.commit.id, Date: s.dateOf(e), Source: s.source(e)}
	if e.name == "done" || e.name == "rejected" {
		m.DoneAt = e.doneAt
	}
	if e.name == "rejected" {
		m.Reason = e.reason
	}
	m.Orphaned = e.name == "done" && s.orphaned(e)
	return m
}

func (s *history) eventOf(e *event, ends map[*life]ending) *Event {
	out := &Event{
		Event: e.name, Commit: e.commit.id, Date: s.dateOf(e), Author: orNil(s.authorOf(e)), Branch: orNil(e.branch), Branches: e.branches,
		Attempt: e.attempt, DoneAt: e.doneAt, Reason: e.reason, SupersededBy: e.successor, Decomposed: s.decomposes(e, ends), Source: s.source(e),
		Orphaned: e.name == "done" && s.orphaned(e), Spec: e.recording.spec,
	}
	if e.event == "rejected" && e.name == "reopened" {
		out.Reason = ""
	}
	if out.Source == "" && e.logged {
		out.Source = "reflog"
	}
	if e.life != nil {
		out.ID, out.Name, out.Spec = &e.life.id, ends[e.life].name, ends[e.life].spec
	}
	for _, c := range e.copies {
		if c.commit != e.commit && !slices.Contains(out.Also, c.commit.id) {
			out.Also = append(out.Also, c.commit.id)
		}
	}
	return out
}

// source returns where an event is known from: from messages alone, or inferred.
func (s *history) source(e *event) string {
	trailer := true
	for _, c := range e.copies {
		trailer = trailer && c.trailer
	}
	switch {
	case trailer:
		return "trailer"
	case s.concluded(e) && e.event != "rejected":
		return "inferred"
	}
	return ""
}

// concluded reports whether it is only inferred that a life ended with an event: in HEAD's history, if it has the event. The
// tombstone of a rejection does not show that the task was not done again before it left.
func (s *history) concluded(e *event) bool {
	known := s.head != nil && slices.ContainsFunc(e.copies, func(c *recording) bool { return reaches(s.head, c.commit) })
	var there []*recording
	for _, c := range e.copies {
		if !known || reaches(s.head, c.commit) {
			there = append(there, c)
		}
	}
	return onlyInferred(there)
}

// onlyInferred reports whether reports say that a life ended, and each of them infers it.
func onlyInferred(copies []*recording) bool {
	ends := false
	for _, c := range copies {
		if c.ends() && !c.inferred {
			return false
		}
		ends = ends || c.ends()
	}
	return ends
}

func (s *history) dateOf(e *event) string {
	if e.trailer && e.at != "" {
		at, _ := time.Parse(time.RFC3339, e.at)
		return at.Format(time.RFC3339)
	}
	return e.commit.date
}

func (s *history) authorOf(e *event) string {
	if e.trailer && e.by != "" {
		return e.by
	}
	return e.commit.author
}

// orphaned reports whether "done_at" names no ancestor of the commit.
func (s *history) orphaned(e *event) bool {
	if e.doneAt == "" || incomplete(e.commit) {
		return false
	}
	for a := range e.commit.above {
		if len(e.doneAt) >= 4 && strings.HasPrefix(a.id, e.doneAt) {
			return false
		}
	}
	return len(e.doneAt) < 4 || !strings.HasPrefix(e.commit.id, e.doneAt)
}

func incomplete(c *commit) bool {
	if c.hidden {
		return true
	}
	for a := range c.above {
		if a.hidden {
			return true
		}
	}
	return false
}

func orNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
