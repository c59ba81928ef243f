package iteration

import (
	"context"

	"git-ralph/internal/agent"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// settled is the effect of a finished job on the plan and git.
type settled struct {
	after   State
	memory  Memory
	damage  string // what the agent destroyed, which was repaired
	applied applied
}

// applied is the effect of the agent's report.
type applied struct {
	feedback string   // what is wrong with it, for the next agent; "" for nothing
	blocked  string   // why the task could not be done
	files    []string // named in it as part of the work
	done     bool     // it made the task done, in one commit with the files
	planned  bool     // it planned the spec
}

// settle applies the agent's report, and the consequences of how it ended.
func (f finishedJob) settle(ctx context.Context) (settled, error) {
	s := settled{memory: f.Memory}
	if s.memory.Stuck = f.leftOperation(); s.memory.Stuck != nil {
		s.after = *s.memory.Stuck
		return s, nil
	}
	var err error
	if s.damage, err = f.repair(ctx); err != nil {
		return settled{}, err
	}
	if f.Source != nil {
		return f.settleWork(ctx, s)
	}
	if f.Fence != nil && f.ID() != "" {
		if err := f.Fence(ctx, f.ID()); err != nil {
			return settled{}, err
		}
	}
	now, err := Read(ctx, f.Store)
	if err != nil {
		return settled{}, err
	}
	switch {
	case checkFailed(f.checked):
		s.applied.feedback = "checks failed, so no agent was started"
		err = f.rejectFailed(ctx)
	case f.ended.End == agent.Interrupted, limited(f.ended), s.damage != "":
	case f.ended.End != agent.Exited:
		s.memory.maxTasks = f.maxTasksAfterKill()
		err = f.kill(ctx, now)
	case f.ended.Success():
		s.applied, err = f.applyReport(ctx, now)
		s.memory.feedback = feedback{f.Stage(), f.State.itemID(), s.applied.feedback}
	}
	if err == nil {
		now, err = f.commitEdits(ctx)
	}
	if err == nil {
		err = f.commitWork(ctx, now, s.applied)
	}
	if err == nil {
		err = f.enforceTaskLimits(ctx, now)
	}
	if err == nil {
		s.after, err = Read(ctx, f.Store)
	}
	return s, err
}

// leftOperation returns the state before the job if its agent left a git operation in progress that it began, or that an
// agent before it left. In the middle of an operation, nothing is committed with the plan, and aborting it would undo
// everything done meanwhile: so the agent has failed.
func (f finishedJob) leftOperation() *State {
	now := f.Store.Repo().Operations().Unfinished()
	if now == "" || f.Memory.Stuck == nil && (f.ended.End == agent.Interrupted || now == f.State.Operation) {
		return nil
	}
	stuck := f.State
	stuck.Operation = now
	return &stuck
}

// commitEdits commits what the agent changed by editing the plan's file, since no later commit may include it, and returns
// the state after that. What is done must be in git before it is pushed.
func (f finishedJob) commitEdits(ctx context.Context) (State, error) {
	after, err := Read(ctx, f.Store)
	if err != nil || f.ended.End == agent.Interrupted || !isProgress(plan.Events(f.State.Plan, after.Plan)) {
		return after, err
	}
	if open, err := f.Store.Uncommitted(ctx); err != nil || open == nil {
		return after, nil //nolint:nilerr // the next change commits it
	}
	if err := f.update(ctx, store.Request{OwnEdits: true, Keep: store.KeepRemovals, Do: nothing}); err != nil {
		f.warn("the plan is edited and not committed: %v", err)
	}
	return Read(ctx, f.Store)
}
