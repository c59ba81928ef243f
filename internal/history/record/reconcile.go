package record

import (
	"cmp"
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// A reconciliation compares what a message says with what the plan shows.
type reconciliation struct {
	lines         *LineTable
	before, after *Version
	hidden        bool // the plan before is not known

	shown, added []Event // of the record that is looked at: those that the plan shows, and those that only the message reports
}

// reconcile returns the events that the plan shows, with what the message says of them: when, by whom and on which branch. Events
// that only the message reports are added where, record by record, they lead from the plan before to the plan after, as in
// a squash; anything else would be invented.
func (w reconciliation) reconcile(shown []Event, message trailers) []Event {
	var added []Event
	if len(message) > 0 {
		slices.SortStableFunc(shown, func(a, b Event) int { return a.key().compare(b.key()) })
	}
	for rest := message; len(rest) > 0; {
		k := rest[0].of
		steps := rest.about(k)
		if rest = rest[len(steps):]; k.kind == "" {
			continue
		}
		from, to := spanOf(shown, k, Event.key)
		w.shown, w.added = shown[from:to], nil
		matches := w.matches(k, steps)
		for i, step := range steps {
			if w.confirm(step) || !matches {
				continue
			}
			w.add(k, step, steps[:i], !w.isEdit(k, steps))
		}
		added = append(added, w.added...)
	}
	all, branch := append(shown, added...), message.branch()
	for i := range all {
		all[i].Branch = cmp.Or(all[i].Branch, branch)
	}
	return all
}

// confirm finds the event that the plan shows and the message reports too, and takes over what the message says of it. One
// that is known to have happened at another time, or by another hand, is another one.
func (w *reconciliation) confirm(step trailer) bool {
	at, by := step.at(), step.text("by")
	for i := range w.shown {
		t := &w.shown[i]
		if t.Repeat || !step.matches(t) {
			continue
		}
		if t.At == "" && t.Branch == "" && t.By == "" {
			t.At, t.By, t.Branch = at, by, step.branch
			t.Divided = step.name == plan.EventDecomposed
			switch reason := step.text("reason"); {
			case reason == "":
			case t.Name == plan.EventItemMoved:
				t.Reason += ": " + reason
			case t.Name == plan.EventCancelled:
				t.Reason = reason
			}
		}
		if at == "" || t.At == "" || at == t.At && by == t.By {
			return true
		}
	}
	return false
}

// matches reports whether a trailer is of an event.
func (t trailer) matches(e *Event) bool {
	if t.name == plan.EventReopened && e.Name == plan.EventAdded {
		return true
	}
	if t.event() != e.Name {
		return false
	}
	attempt := t.text("attempt")
	return attempt == "" || e.Attempt == "" || attempt == e.Attempt
}

// isEdit reports whether the plan shows what the message calls an edit, and nothing else of the record: that it changed in a way which is no
// event of its own. A kill that was taken back is one, and so is a rejection that stands again.
func (w *reconciliation) isEdit(k key, steps trailers) bool {
	isOther := func(e Event) bool { return e.Name != plan.EventRejected || e.Left || e.Rejects }
	if len(steps) != 1 || steps[0].name != plan.EventEdited || slices.ContainsFunc(w.shown, isOther) {
		return false
	}
	was, had := w.lines.find(w.before, k.kind, k.id)
	is, has := w.lines.find(w.after, k.kind, k.id)
	return had && has && len(plan.ChangedFields(was, is)) > 0
}

// add adds an event that the plan does not show, unless it was added already.
func (w *reconciliation) add(k key, step trailer, earlier trailers, trailerOnly bool) {
	t := Event{
		Name: step.event(), Kind: k.kind, ID: k.id, Attempt: step.text("attempt"), Reason: step.text("reason"),
		Successor: step.text("superseded_by"), At: step.at(), By: step.text("by"), Branch: step.branch,
		Title: step.text("name"), Spec: step.text("spec"), TrailerOnly: trailerOnly, Left: step.name == plan.EventSuperseded,
		Divided: step.name == plan.EventDecomposed, Rejects: step.name == plan.EventRejected,
	}
	switch t.Name {
	case plan.EventIssueAdded:
		t.Title = step.text("desc")
	case plan.EventKilled:
		t.Reason = step.text("kill")
	case plan.EventItemMoved:
		t.Reason = strings.TrimSuffix(step.text("to")+": "+t.Reason, ": ")
	}
	if step.name == plan.EventSuperseded && slices.ContainsFunc(earlier, func(e trailer) bool { return e.name == plan.EventRejected }) {
		w.succeed(t.Successor)
		return
	}
	r, found := w.lines.find(w.after, k.kind, k.id)
	if !found {
		r, found = w.lines.find(w.before, k.kind, k.id)
	}
	t.CreatedAt, t.Unplanned = r.CreatedAt(), !found
	isSame := func(o Event) bool { return !o.Repeat && o.same(t) }
	if !slices.ContainsFunc(w.shown, isSame) && !slices.ContainsFunc(w.added, isSame) {
		w.added = append(w.added, t)
	}
}

// succeed sets what took the place of a task that the message says to be rejected: of the last rejection.
func (w *reconciliation) succeed(successor string) {
	for _, events := range [][]Event{w.added, w.shown} {
		for i := range slices.Backward(events) {
			if t := &events[i]; t.Name == plan.EventRejected {
				t.Successor, t.Left, t.Inferred = successor, true, false
				return
			}
		}
	}
}

// matches reports whether steps lead from the status of a record before to that after.
func (w *reconciliation) matches(k key, steps trailers) bool {
	if k.kind == plan.KindSpec {
		return false // the plan shows it
	}
	var moves trailers
	for _, s := range steps {
		if from, _ := s.states(); from != "" {
			moves = append(moves, s)
		}
	}
	after := w.state(w.after, k)
	if len(moves) == 0 {
		return after != absent
	}
	from, _ := moves[0].states()
	_, to := moves[len(moves)-1].states()
	return strings.Contains(to, after) && (w.hidden || strings.Contains(from, w.state(w.before, k)))
}

// The status of a record in a version, as letters for sets.
const (
	absent  = "a"
	pending = "p"
	done    = "d"
)

func (w *reconciliation) state(v *Version, k key) string {
	r, found := w.lines.find(v, k.kind, k.id)
	switch {
	case !found:
		return absent
	case k.kind == plan.KindTask && r.Done():
		return done
	}
	return pending
}

// states returns which statuses a record can have before and after an event, both "" for an event that does not change it.
func (t trailer) states() (from, to string) {
	switch t.name {
	case plan.EventAdded, plan.EventIssueAdded, plan.EventItemAdded:
		return absent, pending
	case plan.EventDone:
		return pending, done
	case plan.EventReopened:
		return done + absent, pending
	case plan.EventRejected:
		return done, pending + absent
	case plan.EventSuperseded, plan.EventDecomposed, plan.EventCancelled:
		return pending + done, absent
	case plan.EventAccepted:
		return done, absent
	case plan.EventIssueDone, plan.EventItemRemoved:
		return pending, absent
	}
	return "", ""
}
