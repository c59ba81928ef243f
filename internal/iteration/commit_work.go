package iteration

import (
	"context"
	"errors"
	"fmt"

	"git-ralph/internal/agent"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/mask"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// commitWork commits what an agent left uncommitted if it marked its task done by a command, whose commit contains the plan
// alone. If git refuses the commit, the task is rejected: finished work must be in git. Other tasks do not count: the user
// may have marked them done.
func (f finishedJob) commitWork(ctx context.Context, now State, did applied) error {
	task, found := now.Plan.Task(f.ID())
	was, _ := f.State.Plan.Task(f.ID())
	byItself := found && task.Done() && !was.Done() || f.isReviewed(now.Plan)
	if !byItself || did.done || f.ended.End == agent.Interrupted || f.Store.Repo().Operations().Current() != "" {
		return nil
	}
	message := leftMessage(was.ID(), was.Name())
	refused, err := f.commitFiles(ctx, was.ID(), message, append(pipeline.NewArtifacts(f.State.Plan, now.Plan), did.files...))
	if refused == nil {
		return err
	}
	if !found || task.Pending() {
		f.warn("cannot commit what the agent left uncommitted of %s: %v", was.ID(), refused)
		return nil
	}
	f.warn("cannot commit what the agent left uncommitted, so %s is not done: %v", task.ID(), refused)
	return rejectUncommitted(ctx, f.Store, task.ID(), refused)
}

// commitLeft commits what an agent left uncommitted when it finished a task of a Source, or all of it. Where git refuses the commit it returns what
// the next agent has to know: the task stays done, since its file decides, and the work stays for the next commit.
func (f finishedJob) commitLeft(ctx context.Context, now Work) (feedback string, tried bool, err error) {
	done := f.finished(now, nil)
	if now.IsDone() { // and so is whatever was left of its tasks
		done = append(done, plan.Event{ID: now.ID, Title: now.Name})
	}
	if len(done) == 0 || f.ended.End == agent.Interrupted || f.Store.Repo().Operations().Current() != "" {
		return "", false, nil
	}
	task := done[0]
	refused, err := f.commitFiles(ctx, "", leftMessage(task.ID, task.Title), nil)
	if refused == nil {
		return "", true, err
	}
	feedback = fmt.Sprintf("%s is done, and git refuses the commit of what was left uncommitted then: %v", task.ID, refused)
	f.warn("%s", feedback)
	return f.Masker.Text(feedback), true, nil
}

func leftMessage(id, name string) string {
	return commitMessage(name, "What the agent left uncommitted when "+id+" became done.")
}

// commitFiles commits the files of the agent's work that are uncommitted, if there are any. task is that of the plan which is not done
// without them, "" for none. The first error is why git refuses the commit.
func (f finishedJob) commitFiles(ctx context.Context, task, message string, named []string) (refused, err error) {
	files, err := f.Changes.AgentFiles(ctx, named)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	err = f.commitRecorded(recordedCommit{task: task, message: message, files: files}, func() error {
		_, err := f.Store.CommitFiles(ctx, message, files...)
		return err
	})
	switch {
	case errors.Is(err, commit.ErrNothingToCommit): // only the index was behind
		return nil, nil
	case errors.Is(err, commit.ErrCommitRefused), errors.Is(err, commit.ErrBadPath):
		return err, nil
	}
	return nil, err
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
