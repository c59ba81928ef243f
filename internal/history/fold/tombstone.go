package fold

import (
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A stone is what a tombstone says.
type stone struct{ doneAt, reason, attempt string }

func stoneOf(r plan.Record) stone {
	return stone{r.Text("done_at"), r.Text("reason"), r.Text("attempt")}
}

// tombstones tells of the rejections that are new. A tombstone in the place of another one of the same attempt is that one,
// put right.
func (c *comparison) tombstones(id string) {
	old, now := c.stones(c.before, id), c.stones(c.after, id)
	gone := stonesWithout(old, now)
	task, found := c.book.find(c.after, plan.KindTask, id)
	if !found {
		task, found = c.book.find(c.before, plan.KindTask, id)
	}
	for _, s := range stonesWithout(now, old) {
		t := Told{Name: plan.EventRejected, Kind: plan.KindTask, ID: id, Loose: !found, DoneAt: s.doneAt, Reason: s.reason, Attempt: s.attempt}
		if found {
			t.Born, t.After = task.CreatedAt(), task.JSON()
		}
		corrected := slices.IndexFunc(gone, func(o stone) bool { return s.doneAt+s.attempt != "" && o.sameAttempt(s) })
		if corrected >= 0 {
			t.Quiet = true
			edit := t
			edit.Name, edit.Quiet = plan.EventEdited, false
			edit.Change = digest([]change{{"reason", jsonl.Quote(gone[corrected].reason), jsonl.Quote(s.reason)}})
			if gone[corrected].reason != s.reason {
				c.once(edit)
			}
			gone = slices.Delete(gone, corrected, corrected+1)
		}
		c.once(t)
	}
}

// stones returns the tombstones of a task.
func (c *comparison) stones(v *Version, id string) (all []stone) {
	for r := range c.book.all(v, plan.KindReject, id) {
		all = append(all, stoneOf(r))
	}
	return all
}

// stonesWithout returns the stones that others do not have, as many times as they have them less often.
func stonesWithout(all, others []stone) (rest []stone) {
	others = slices.Clone(others)
	for _, s := range all {
		if i := slices.Index(others, s); i >= 0 {
			others = slices.Delete(others, i, i+1)
		} else {
			rest = append(rest, s)
		}
	}
	return rest
}

func (s stone) sameAttempt(o stone) bool { return oneAttempt(s.attempt, s.doneAt, o.attempt, o.doneAt) }
