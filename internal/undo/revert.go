package undo

import (
	"bytes"
	"fmt"
	"slices"

	"git-ralph/internal/history/record"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
)

// A Revert is what taking a change back did to a plan.
type Revert struct {
	Change plan.Change
	Merged merge.Result
	Diff   plandiff.Diff // of the plan
	// Refused is why the command that made a change would not make it again: what it finished waits for something by now (a
	// *plan.BlockedError), or an item has been moved since and cannot go on from there. It is nil for an undo.
	Refused error
}

// Accepted returns the tasks that are accepted again.
func (r Revert) Accepted() (tasks []plan.Record) {
	accepted := map[string]bool{}
	for _, e := range r.Change.Events {
		accepted[e.ID] = accepted[e.ID] || e.Name == plan.EventAccepted
	}
	for _, task := range r.Change.Removed {
		if task.Kind() == plan.KindTask && accepted[task.ID()] {
			tasks = append(tasks, task)
		}
	}
	return tasks
}

// Take takes a change back from p: it merges the plan before it into p, with the plan after it as the base. Nothing is changed where
// the error is not nil: it is a *merge.InvalidError, whose Base is the plan after and whose Theirs the one before, or
// *merge.ResultError. A redo accepts what the change had accepted. An undo accepts nothing but what was accepted until the change brought it
// back, as a git revert does: wasAccepted reports whether a task was, and which attempt at it.
func Take(p *plan.Plan, before, after []byte, redo bool, wasAccepted func(task plan.Record) (attempt string, ok bool)) (Revert, error) {
	now := p.Encode()
	merged, err := merge.Merge(after, now, before)
	if err != nil {
		return Revert{}, err
	}
	without, problems := plan.DecodeBytes(merged.Data)
	if len(problems) > 0 {
		return Revert{}, &merge.InvalidError{Input: merge.Theirs, Problems: problems}
	}
	r := Revert{Merged: merged, Diff: plandiff.Compare(p, without)}
	if bytes.Equal(now, merged.Data) {
		return r, nil
	}
	for _, d := range r.Diff.Records {
		if d.Change == plandiff.Removed {
			r.Change.Removed = append(r.Change.Removed, d.Before)
		} else {
			r.Change.Records = append(r.Change.Records, d.After)
		}
	}
	former, _ := plan.DecodeBytes(before)
	r.Change.Events = events{tasksOf(p), tasksOf(without), tasksOf(former), redo, wasAccepted}.of(record.PlanEvents(record.Between(now, merged.Data)), r.Diff)
	if redo {
		undone, _ := plan.DecodeBytes(after)
		if r.Refused = r.blocked(without, former, undone); r.Refused == nil {
			r.Refused = moved(p, without, undone)
		}
	}
	*p = *without
	return r, nil
}

// blocked finds a task that is finished again although it waits for something in the new plan, for which it did not wait where that was
// done first: in the former plan, or where it is gone there in the one before.
func (r Revert) blocked(without, former, undone *plan.Plan) error {
	finished := r.Accepted()
	for _, e := range r.Change.Events {
		if task, found := without.Task(e.ID); found && e.Name == plan.EventDone {
			finished = append(finished, task)
		}
	}
	for _, task := range finished {
		then := former
		was, found := then.Task(task.ID())
		if !found {
			then = undone
			was, _ = then.Task(task.ID())
		}
		forced := then.BlockedBy(was)
		waits := slices.DeleteFunc(without.BlockedBy(task), func(id string) bool { return slices.Contains(forced, id) })
		if len(waits) > 0 {
			return &plan.BlockedError{ID: task.ID(), WaitsFor: waits}
		}
	}
	return nil
}

// moved finds an item that somebody has moved since a change was undone, and that would be moved from there against the rules of the pipeline.
func moved(now, without, undone *plan.Plan) error {
	for _, item := range without.Of(plan.KindItem) {
		is, found := now.Item(item.ID())
		was, _ := undone.Item(item.ID())
		from, to := is.Text("state"), item.Text("state")
		if !found || from == was.Text("state") || from == to {
			continue
		}
		if err := pipeline.CheckMove(from, to); err != nil {
			return fmt.Errorf("%s was moved since: %w", item.ID(), err)
		}
	}
	return nil
}

// whatMember is a detail of our own changes of lines, which edits made by hand do not have.
const whatMember = "what"

// reasonUndone is why a task is cancelled that an undo takes out of the plan.
const reasonUndone = "undone"

// events say in the words of commit messages what taking a change back did.
type events struct {
	now, without *plan.RecordIndex // the tasks before and after it
	former       *plan.RecordIndex // those before the change that is taken back
	redo         bool
	wasAccepted  func(task plan.Record) (attempt string, ok bool)
}

func tasksOf(p *plan.Plan) *plan.RecordIndex {
	tasks := plan.NewRecordIndex(p.Of(plan.KindTask))
	return &tasks
}

// of corrects what the two plans alone look like, and adds what they do not show.
func (e events) of(shown []plan.Event, diff plandiff.Diff) []plan.Event {
	reported, divided := map[string]bool{}, map[string]bool{} // divided: others take its place
	for _, d := range diff.Records {
		if d.Change == plandiff.Added {
			divided[d.After.Text("parent")] = true
		}
	}
	shown = slices.DeleteFunc(shown, func(v plan.Event) bool { return e.isOldRejection(v) })
	for i := range shown {
		v := &shown[i]
		reported[v.ID] = true
		switch {
		case v.Name == plan.EventAdded && e.wasThere(v.ID):
			v.Name = plan.EventReopened
		case v.Name == plan.EventCancelled && divided[v.ID]:
			v.Name = plan.EventDecomposed
		case v.Name == plan.EventCancelled, v.Name == plan.EventAccepted && !e.redo:
			e.leaves(v)
		}
	}
	for _, d := range diff.Records {
		if r := d.After; d.Change == plandiff.Changed && r.Kind().HasUniqueID() && !reported[r.ID()] {
			shown = append(shown, plan.Event{Name: plan.EventEdited, ID: r.ID(), Title: r.Name()})
		}
	}
	if len(shown) == 0 {
		shown = []plan.Event{{Name: plan.EventUpdated, Title: "changed other lines", Detail: []jsonl.Member{jsonl.TextMember(whatMember, "lines")}}}
	}
	return shown
}

// leaves says how a task leaves that the change had brought: as it had left before, if that was by acceptance.
func (e events) leaves(v *plan.Event) {
	task, _ := e.now.Find(v.ID)
	switch attempt, ok := e.wasAccepted(task); {
	case ok:
		v.Name, v.Detail = plan.EventAccepted, nil
		if attempt != "" {
			v.Detail = []jsonl.Member{jsonl.TextMember("attempt", attempt)}
		}
	case !e.redo:
		v.Name, v.Detail = plan.EventCancelled, []jsonl.Member{jsonl.TextMember("reason", reasonUndone)}
	}
}

// wasThere reports whether a task that is in the plan again was there before the change.
func (e events) wasThere(id string) bool {
	was, found := e.former.Find(id)
	is, _ := e.without.Find(id)
	return found && is.SameTask(was)
}

// isOldRejection reports whether an event is a tombstone that comes back, and rejects nothing that is done now.
func (e events) isOldRejection(v plan.Event) bool {
	was, had := e.now.Find(v.ID)
	return v.Name == plan.EventRejected && !(had && was.Done())
}
