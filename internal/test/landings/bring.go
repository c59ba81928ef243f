package landings

import "fmt"

// branch is the work on one task.
type branch struct {
	drawn
	steps [][]edit // by commit; the last one makes the task done, and may have no edits
	base  state    // where it began
	tips  []int    // marks of its commits
}

// work draws a branch that begins at the target's tip.
func (d *drawer) work(i int, places []int) *branch {
	b := &branch{base: d.at}
	b.Target, b.ID, b.Attempt = "refs/heads/"+d.name+"/main", taskID(i), fmt.Sprintf("a%03d", i)
	if b.Kind = kinds[d.IntN(len(kinds))]; b.Kind == SquashedNamed && i > 0 {
		b.Kind = Nothing // one of a history
	}
	b.HasCode = d.IntN(8) > 0 || b.Kind != Nothing && b.Kind != Merged && b.Kind != MergedAccepted
	if b.HasCode {
		for n := range 1 + d.IntN(3) {
			b.steps = append(b.steps, d.edits(b.ID, n, places[n]))
		}
	}
	if !b.HasCode || d.IntN(2) == 0 {
		b.steps = append(b.steps, nil) // done in a commit of its own
	}
	at, tip := d.at, d.main
	for n, step := range b.steps {
		at = at.with(func(s *state) {
			s.apply(step)
			if n == len(b.steps)-1 {
				s.tasks[b.ID] = taskLine(b.ID, "d", b.Attempt)
			}
		})
		tip = d.commit(fmt.Sprint("work", i), fmt.Sprint("work ", n), at, tip)
		b.tips = append(b.tips, tip)
	}
	b.done = tip
	return b
}

// edits draws the lines of one commit: one to three in a place of the task's.
func (d *drawer) edits(id string, step, at int) (all []edit) {
	file, first := at/(lines/place), at%(lines/place)*place+1
	for n := range 1 + d.IntN(3) {
		all = append(all, edit{file, first + n, fmt.Sprintf("%s of %s step %d line %d", marker, id, step, n)})
	}
	return all
}

// marker begins a line of a task's work.
const marker = "work"

// all returns all edits of a branch.
func (b *branch) all() (edits []edit) {
	for _, step := range b.steps {
		edits = append(edits, step...)
	}
	return edits
}

// inverse returns the edits that take them back.
func (b *branch) inverse() (edits []edit) {
	for _, e := range b.all() {
		edits = append(edits, edit{e.file, e.line, b.base.files[e.file][e.line]})
	}
	return edits
}

// edited returns the edits with the first line as an integrator rewrote it.
func (b *branch) edited() []edit {
	edits := b.all()
	edits[0].text = "rewritten by an integrator"
	if len(edits) == 1 { // or it would be somebody else's work
		edits = append(edits, edit{edits[0].file, edits[0].line, b.all()[0].text})
	}
	return edits
}

func (s *state) done(b *branch) { s.tasks[b.ID] = taskLine(b.ID, "d", b.Attempt) }

// bring brings a branch into the target, in its way.
func (d *drawer) bring(b *branch) {
	switch b.Kind {
	case Merged, MergedAccepted, MergedRejected, MergedReverted, MergedBack, MergedPartBack, MergedEdited:
		d.toMain("Merge branch", func(s *state) { s.apply(b.all()); s.done(b) }, b.done)
		d.afterMerge(b)
	case Squashed:
		d.toMain("squash", func(s *state) { s.apply(b.all()); s.done(b) })
		b.copies = append(b.copies, d.main)
	case PlanAlone:
		d.toMain("take over the plan", func(s *state) { s.done(b) })
		b.copies = append(b.copies, d.main)
	case SquashedAlone, SquashedBack, SquashedAgain:
		d.squashAlone(b, b.all())
	case EditedSquash:
		d.toMain("squash", func(s *state) { s.apply(b.edited()); s.done(b) })
		b.copies = append(b.copies, d.main)
	case EditedAlone:
		d.squashAlone(b, b.edited())
	case Rebased, RebasedDone:
		d.replay(b, true)
		b.copies = append(b.copies, d.main)
		if b.Kind == RebasedDone {
			d.noise()
			d.toMain("accept", func(s *state) { delete(s.tasks, b.ID) })
		}
	case Picked:
		d.replay(b, false)
	}
}

// afterMerge does what follows a merge.
func (d *drawer) afterMerge(b *branch) {
	d.noise()
	switch b.Kind {
	case MergedAccepted:
		d.toMain("accept", func(s *state) { delete(s.tasks, b.ID) })
	case MergedRejected:
		d.toMain("reject", func(s *state) {
			s.tasks[b.ID] = taskLine(b.ID, "p", "")
			s.other = append(s.other, fmt.Sprintf(`{"t": "reject", "id": %q, "done_at": "0123456789ab", "reason": "no", "attempt": %q}`, b.ID, b.Attempt))
		})
	case MergedBack:
		d.toMain("Revert \"work\"", func(s *state) { s.apply(b.inverse()) })
	case MergedPartBack:
		d.toMain("Revert \"work 0\"", func(s *state) { s.apply(b.inverse()[:len(b.steps[0])]) })
	case MergedEdited:
		first := b.all()[0]
		d.toMain("rewrite", func(s *state) { s.apply([]edit{{first.file, first.line, "rewritten afterwards"}}) })
	case MergedReverted:
		d.toMain("Revert \"Merge branch\"\n\nThis reverts commit 0123456789012345678901234567890123456789.", func(s *state) {
			s.apply(b.inverse())
			s.tasks[b.ID] = taskLine(b.ID, "p", "")
		})
	}
}

// squashAlone commits the work without the plan, and what follows.
func (d *drawer) squashAlone(b *branch, edits []edit) {
	d.toMain("squash", func(s *state) { s.apply(edits) })
	if b.Kind != SquashedBack && b.Kind != SquashedAgain {
		return
	}
	d.noise()
	d.toMain("Revert \"squash\"", func(s *state) { s.apply(b.inverse()) })
	if b.Kind == SquashedAgain {
		d.noise()
		d.toMain("Revert \"Revert \"squash\"\"", func(s *state) { s.apply(edits) })
	}
}

// replay commits the work again, commit by commit.
func (d *drawer) replay(b *branch, withPlan bool) {
	for n, step := range b.steps {
		last := n == len(b.steps)-1
		if len(step) == 0 && !withPlan {
			continue
		}
		d.toMain(fmt.Sprint("work ", n), func(s *state) {
			s.apply(step)
			if last && withPlan {
				s.done(b)
			}
		})
	}
}
