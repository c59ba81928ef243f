package record

import (
	"iter"
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A tombstone holds the fields of a rejection.
type tombstone struct {
	plan.Attempt
	reason string
}

func tombstoneOf(r plan.Record) tombstone {
	return tombstone{r.Attempt(), r.Text("reason")}
}

// rejections adds the rejections of a task that are new. A tombstone in the place of another one of the same attempt is that
// one, corrected.
func (c *comparison) rejections(id string) {
	old, now := c.tombstones(c.before, id), c.tombstones(c.after, id)
	replaced := without(nil, old, now)
	task, found := c.lines.find(c.after, plan.KindTask, id)
	if !found {
		task, found = c.lines.find(c.before, plan.KindTask, id)
	}
	for _, s := range without(nil, now, old) {
		e := Event{Name: plan.EventRejected, Kind: plan.KindTask, ID: id, Unplanned: !found, DoneAt: s.DoneAt, Reason: s.reason, Attempt: s.ID}
		if found {
			e.CreatedAt, e.After = task.CreatedAt(), task.JSON()
		}
		e.Rejects = c.stands(c.before, id, s.Attempt) && !c.stands(c.after, id, s.Attempt)
		corrected := slices.IndexFunc(replaced, func(o tombstone) bool { return s.Attempt != plan.Attempt{} && plan.SameAttempt(o.Attempt, s.Attempt) })
		if corrected >= 0 {
			if was := replaced[corrected].reason; was != s.reason {
				edit := e
				edit.Name, edit.Change = plan.EventEdited, digest([]plan.FieldChange{{Name: "reason", Before: jsonl.Quote(was), After: jsonl.Quote(s.reason)}})
				c.addOnce(edit)
			}
			e.Repeat = true
			replaced = slices.Delete(replaced, corrected, corrected+1)
		}
		c.addOnce(e)
	}
}

// stands reports whether a task is done in a version, by an attempt.
func (c *comparison) stands(v *Version, id string, attempt plan.Attempt) bool {
	task, found := c.lines.find(v, plan.KindTask, id)
	var none plan.Attempt
	return found && task.Done() && task.Attempt() != none && attempt != none && plan.SameAttempt(task.Attempt(), attempt)
}

// rejects yields the tombstones of a task, those of the plan before first.
func (c *comparison) rejects(id string) iter.Seq[plan.Record] {
	return func(yield func(plan.Record) bool) {
		for _, v := range [...]*Version{c.before, c.after} {
			for r := range c.lines.all(v, plan.KindReject, id) {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// tombstones returns the tombstones of a task in a version.
func (c *comparison) tombstones(v *Version, id string) (all []tombstone) {
	for r := range c.lines.all(v, plan.KindReject, id) {
		all = append(all, tombstoneOf(r))
	}
	return all
}
