package iteration

import (
	"context"

	"git-ralph/internal/agent"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// settled is what came of an attempt in the plan and in git.
type settled struct {
	after   State
	memory  Memory
	damage  string // what the agent destroyed and was repaired
	applied applied
}

// applied is what came of the agent's report.
type applied struct {
	feedback string   // what is wrong with it, for the next agent; "" for nothing
	blocked  string   // why the task could not be done
	files    []string // that it names as part of the work
	done     bool     // it made the task done, in one commit with the files
	planned  bool     // it planned the spec
}

// settle applies what the agent reported, and what its end means for the task.
func (a attempt) settle(ctx context.Context) (settled, error) {
	s := settled{memory: a.Memory}
	if s.memory.Stuck = a.leftOperation(); s.memory.Stuck != nil {
		s.after = *s.memory.Stuck
		return s, nil
	}
	var err error
	if s.damage, err = a.repair(ctx); err != nil {
		return settled{}, err
	}
	now, err := Read(ctx, a.Store)
	if err != nil {
		return settled{}, err
	}
	switch {
	case a.ended.End == agent.Interrupted, limited(a.ended), s.damage != "":
	case a.ended.End != agent.Exited:
		s.memory.maxTasks = a.maxTasksAfterKill()
		err = a.kill(ctx, now)
	case a.ended.Success():
		s.applied, err = a.applyReport(ctx, now)
		s.memory.feedback = feedback{a.Stage(), a.State.itemID(), s.applied.feedback}
	}
	if err == nil {
		now, err = a.commitEdits(ctx)
	}
	if err == nil {
		err = a.commitWork(ctx, now, s.applied)
	}
	if err == nil {
		err = a.enforceTaskLimits(ctx, now)
	}
	if err == nil {
		s.after, err = Read(ctx, a.Store)
	}
	return s, err
}

// leftOperation returns the state before the attempt where its agent left a git operation in progress that it began, or
// that one before it left. While git is in the middle of one, nothing is committed with the plan, and taking it back takes
// everything back that was done meanwhile: so the agent has failed.
func (a attempt) leftOperation() *State {
	now := a.Store.Repo().Operations().Unfinished()
	if now == "" || a.Memory.Stuck == nil && (a.ended.End == agent.Interrupted || now == a.State.Operation) {
		return nil
	}
	stuck := a.State
	stuck.Operation = now
	return &stuck
}

// commitEdits returns the state after an agent. What it did to tasks by editing the file is committed first: nothing
// may come after it that would, and what is called done and pushed must be in git.
func (a attempt) commitEdits(ctx context.Context) (State, error) {
	after, err := Read(ctx, a.Store)
	if err != nil || a.ended.End == agent.Interrupted || !isProgress(plan.Events(a.State.Plan, after.Plan)) {
		return after, err
	}
	if open, err := a.Store.Uncommitted(ctx); err != nil || open == nil {
		return after, nil //nolint:nilerr // a plan that cannot be committed now is with the next change
	}
	if err := a.update(ctx, store.Request{OwnEdits: true, Keep: store.KeepRemovals, Do: nothing}); err != nil {
		a.warn("the plan is edited and not committed: %v", err)
	}
	return Read(ctx, a.Store)
}
