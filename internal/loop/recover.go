package loop

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/mask"
	"git-ralph/internal/plan"
	"git-ralph/internal/proc"
	"git-ralph/internal/store"
)

// A commit of code and plan together is made by git. A crash before it leaves a plan that is written and says done, and
// the code beside it. So what is about to be committed is noted first, and the next run finishes the commit.

// intend returns the note: {"task", "message", "files": [{"path", "size", "time"}]}.
func intend(root, task, message string, files []string) jsonl.Object {
	return jsonl.Build([]jsonl.Member{
		{Name: "task", Value: jsonl.Quote(task)},
		{Name: "message", Value: jsonl.Quote(message)},
		{Name: "files", Value: signaturesOf(root, files).JSON()},
	})
}

// committed drops the note of a commit that was made, or that git refused. One that was ended on the way is for the next run.
func (it *iteration) committed(err error) {
	if !wasEnded(err) {
		it.Config.Run.Committed()
	}
}

// wasEnded reports whether a git command did not end by itself.
func wasEnded(err error) bool {
	return errors.Is(err, git.ErrTimeLimit) || errors.Is(err, git.ErrStopped) || errors.Is(err, context.Canceled) || proc.Killed(err)
}

// Recover finishes the commit that a run was about to make when it was killed or its git command was ended: of the files that
// are still as they were then and not committed, and of the plan. Where git refuses the commit, the task is not done: what is
// called done must be in git; why is then the warning. It must be called before anything else changes the plan, with no run
// under way. There is nothing to do where the note is not there.
func Recover(ctx context.Context, st *store.Store, j journal.Journal, s Settings) (warning string, err error) {
	what, found := j.Intent()
	if !found {
		return "", nil
	}
	st = supervise(st, j, beforeRun+st.Repo().GitDir(), func() time.Duration { return s.Git }, nil)
	err = finish(ctx, st, what)
	if err == nil {
		j.DropIntent()
		return "", nil
	}
	if !isAgents(err) && !errors.Is(err, git.ErrTimeLimit) {
		return "", err
	}
	j.DropIntent()
	if open, openErr := stillOpen(ctx, st.Repo(), what); openErr == nil && len(open) == 0 { // git was faster: it outlives the run that started it
		return "", nil
	}
	id := journal.Text(what, "task")
	return fmt.Sprintf("what a killed run was about to commit cannot be committed, so %s is not done: %v", id, err), takeBack(ctx, st, id, err)
}

// finish makes the commit of a note.
func finish(ctx context.Context, st *store.Store, what jsonl.Object) error {
	id, message := journal.Text(what, "task"), journal.Text(what, "message")
	files, err := stillOpen(ctx, st.Repo(), what)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return changedSince(ctx, st, id)
	}
	result, err := st.Update(ctx, store.Request{
		OwnEdits: true, Files: files, Message: message, Clean: mask.Load().Object,
		Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
			if task, found := p.Task(id); !found || !task.Pending() {
				return plan.Change{}, nil
			}
			return p.Done([]string{id}, plan.DoneOptions{Head: in.Head}, in.Stamp)
		},
	})
	if err == nil && !result.Committed {
		_, err = st.CommitFiles(ctx, message, files...)
	}
	return err
}

// errChangedSince says that the work which a plan calls done is not what it was.
var errChangedSince = fmt.Errorf("%w: the files were changed since", errReport)

// changedSince is the error of a task that is done in the file of the plan alone, while nothing is left of its work to commit.
func changedSince(ctx context.Context, st *store.Store, id string) error {
	now, err := st.View(ctx)
	if err != nil {
		return err
	}
	head, err := st.At(ctx, "HEAD")
	if err != nil {
		return err
	}
	task, found := now.Plan.Task(id)
	was, known := head.Plan.Task(id)
	if found && known && task.Done() && was.Pending() {
		return errChangedSince
	}
	return nil
}

// TakeBackRebase ends a rebase that a killed run began to push what is here: in the middle of it the plan is that of long
// ago, and work that is accepted would be done again. It reports whether there was one. The error is git.ErrHalfRebased.
func TakeBackRebase(ctx context.Context, st *store.Store, j journal.Journal) (was bool, err error) {
	head, found := j.Push()
	if !found {
		return false, nil
	}
	if was, err = st.Repo().TakeBack(ctx, head); err == nil {
		j.DropPush()
	}
	return was, err
}

// stillOpen lists the files of a note that are as they were when it was made, and not committed.
func stillOpen(ctx context.Context, repo *git.Repo, what jsonl.Object) ([]string, error) {
	was := readSignatures(get(what, "files"))
	maps.DeleteFunc(was, func(path string, s signature) bool { return s != signatureOf(repo.Root(), path) })
	paths := slices.Sorted(maps.Keys(was))
	if len(paths) == 0 {
		return nil, nil
	}
	changes, err := repo.Changes(ctx, paths...)
	return pathsOf(changes), err
}
