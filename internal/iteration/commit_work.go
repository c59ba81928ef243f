package iteration

import (
	"context"
	"errors"

	"git-ralph/internal/agent"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/mask"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// commitWork commits what an agent left uncommitted if it marked its task done by a command, whose commit contains the plan
// alone. If git refuses the commit, the task is rejected: finished work must be in git. Other tasks do not count: the user
// may have marked them done.
func (f finishedJob) commitWork(ctx context.Context, now State, did applied) error {
	task, found := now.Plan.Task(f.ID())
	was, _ := f.State.Plan.Task(f.ID())
	byItself := found && task.Done() && !was.Done() && !did.done
	if !byItself || f.ended.End == agent.Interrupted || f.Store.Repo().Operations().Current() != "" {
		return nil
	}
	files, err := f.Changes.AgentFiles(ctx, did.files)
	if err != nil || len(files) == 0 {
		return err
	}
	message := commitMessage(task.Name(), "What the agent left uncommitted when "+task.ID()+" became done.")
	err = f.commitRecorded(task.ID(), message, files, func() error {
		_, err := f.Store.CommitFiles(ctx, message, files...)
		return err
	})
	switch {
	case errors.Is(err, commit.ErrNothingToCommit): // only the index was behind
		return nil
	case errors.Is(err, commit.ErrCommitRefused), errors.Is(err, commit.ErrBadPath):
		f.warn("cannot commit what the agent left uncommitted, so %s is not done: %v", task.ID(), err)
		return rejectUncommitted(ctx, f.Store, task.ID(), err)
	}
	return err
}

// rejectUncommitted rejects a done task whose work cannot be committed.
func rejectUncommitted(ctx context.Context, st *store.Store, id string, why error) error {
	_, err := st.Update(ctx, store.Request{Clean: mask.NewFull().Object, Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		if task, found := p.Task(id); !found || !task.Done() {
			return plan.Change{}, plan.ErrNothing
		}
		return p.Reject(id, "the work was left uncommitted and cannot be committed: "+why.Error())
	}})
	if errors.Is(err, plan.ErrNothing) {
		return nil
	}
	return err
}
