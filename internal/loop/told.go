package loop

import (
	"context"
	"errors"

	"git-ralph/internal/agent"
	"git-ralph/internal/git"
	"git-ralph/internal/mask"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// An agent may tell the plan itself that a task is done, by a command, whose commit holds the plan alone. What it left
// uncommitted of its work then goes into a commit of its own, right after it ended.

// commitWork makes that commit. Where git refuses it, the task is not done: what is called done must be in git. Other tasks
// than the agent's own may have become done by the user's hand.
func (it *iteration) commitWork(ctx context.Context, now state) error {
	task, found := now.plan.Task(it.id())
	was, _ := it.before.plan.Task(it.id())
	told := found && task.Done() && !was.Done() && !it.applied
	if !told || it.outcome.End == agent.Interrupted || it.Store.Repo().Operation() != "" {
		return nil
	}
	files, err := it.work(ctx, it.named)
	if err != nil || len(files) == 0 {
		return err
	}
	message := commitMessage(task.Name(), "What the agent left uncommitted when "+task.ID()+" became done.")
	it.Config.Run.Intend(intend(it.Store.Repo().Root(), task.ID(), message, files))
	_, err = it.Store.CommitFiles(ctx, message, files...)
	it.committed(err)
	switch {
	case errors.Is(err, git.ErrNothingToCommit): // only the index was behind
		return nil
	case errors.Is(err, git.ErrCommitRefused), errors.Is(err, git.ErrBadPath):
		it.warn(it.n, "what the agent left uncommitted cannot be committed, so %s is not done: %v", task.ID(), err)
		return takeBack(ctx, it.Store, task.ID(), err)
	}
	return err
}

// takeBack makes a task pending again, and notes why.
func takeBack(ctx context.Context, st *store.Store, id string, why error) error {
	_, err := st.Update(ctx, store.Request{Clean: mask.Load().Object, Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		if task, found := p.Task(id); !found || !task.Done() {
			return plan.Change{}, plan.ErrNothing
		}
		return p.Reject(id, "the work was left uncommitted, and cannot be committed: "+why.Error())
	}})
	if errors.Is(err, plan.ErrNothing) {
		return nil
	}
	return err
}
