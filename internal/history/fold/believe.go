package fold

import (
	"cmp"
	"slices"
	"strings"

	"git-ralph/internal/plan"
)

// A witness puts what a message says beside what the plan shows.
type witness struct {
	book          *Book
	before, after *Version
	blind         bool // the plan before is not known
	told          []Told
}

// hear adds to what the plan shows what the message says about it: when, by whom
// and on which branch. What only the message says is told where, record by
// record, it leads from the plan before to the plan after, as in a squash;
// anything else would be invented.
func (w *witness) hear(message said) {
	done := map[key]bool{}
	shown := len(w.told)
	for _, t := range message {
		k := key{t.kind(), t.recordID()}
		if k.kind == "" || done[k] {
			continue
		}
		done[k] = true
		steps := message.about(k.kind, k.id)
		believed := w.leads(k, steps)
		for i, step := range steps {
			if w.confirm(shown, k, step) || !believed {
				continue
			}
			w.add(k, step, steps[:i])
		}
	}
	branch := message.branch()
	for i := range w.told {
		w.told[i].Branch = cmp.Or(w.told[i].Branch, branch)
	}
}

// confirm finds the event that the plan shows and the message tells too, and
// takes over what the message knows of it. One that is known to have happened at
// another time, or by another hand, is another one.
func (w *witness) confirm(shown int, k key, step trailer) bool {
	at, by := step.at(), step.text("by")
	for i := range w.told[:shown] {
		t := &w.told[i]
		if t.Kind != k.kind || t.ID != k.id || t.Quiet || !step.tells(t) {
			continue
		}
		if t.At == "" && t.Branch == "" && t.By == "" {
			t.At, t.By, t.Branch = at, by, step.branch
		}
		if at == "" || t.At == "" || at == t.At && by == t.By {
			return true
		}
	}
	return false
}

// tells tells whether a trailer is of an event.
func (t trailer) tells(e *Told) bool {
	if t.name == plan.EventReopened && e.Name == plan.EventAdded {
		return true
	}
	if t.event() != e.Name {
		return false
	}
	attempt := t.text("attempt")
	return attempt == "" || e.Attempt == "" || attempt == e.Attempt
}

// add tells an event that only the message knows, unless it was told already.
func (w *witness) add(k key, step trailer, earlier said) {
	t := Told{
		Name: step.event(), Kind: k.kind, ID: k.id, Attempt: step.text("attempt"), Reason: step.text("reason"),
		Successor: step.text("superseded_by"), At: step.at(), By: step.text("by"), Branch: step.branch,
		Title: step.text("name"), Spec: step.text("spec"), Trailer: true, Left: step.name == plan.EventSuperseded,
	}
	switch t.Name {
	case plan.EventIssueAdded:
		t.Title = step.text("desc")
	case plan.EventKilled:
		t.Reason = step.text("kill")
	}
	if step.name == plan.EventSuperseded && slices.ContainsFunc(earlier, func(e trailer) bool { return e.name == plan.EventRejected }) {
		w.succeed(k, t.Successor)
		return
	}
	r, found := w.book.find(w.after, k.kind, k.id)
	if !found {
		r, found = w.book.find(w.before, k.kind, k.id)
	}
	t.Born, t.Loose = r.CreatedAt(), !found
	if !slices.ContainsFunc(w.told, func(o Told) bool { return !o.Quiet && o.same(t) }) {
		w.told = append(w.told, t)
	}
}

// succeed notes what took the place of a task that the message says to be
// rejected: of the last rejection.
func (w *witness) succeed(k key, successor string) {
	for i := len(w.told) - 1; i >= 0; i-- {
		if t := &w.told[i]; t.Name == plan.EventRejected && t.Kind == k.kind && t.ID == k.id {
			t.Successor, t.Left, t.Inferred = successor, true, false
			return
		}
	}
}

// leads tells whether steps lead from how a record stood before to how it stands
// after.
func (w *witness) leads(k key, steps said) bool {
	if k.kind == plan.KindSpec {
		return false // the plan shows it
	}
	var moves said
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
	return strings.Contains(to, after) && (w.blind || strings.Contains(from, w.state(w.before, k)))
}

// How a record stands in a version, as letters for sets.
const (
	absent  = "a"
	pending = "p"
	done    = "d"
)

func (w *witness) state(v *Version, k key) string {
	r, found := w.book.find(v, k.kind, k.id)
	switch {
	case !found:
		return absent
	case k.kind == plan.KindTask && r.Done():
		return done
	}
	return pending
}

// states returns how a record can stand before and after an event, both "" for
// an event that does not change it.
func (t trailer) states() (from, to string) {
	switch t.name {
	case plan.EventAdded, plan.EventIssueAdded:
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
	case plan.EventIssueDone:
		return pending, absent
	}
	return "", ""
}
