package iteration

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"git-ralph/internal/changes"
	"git-ralph/internal/git"
	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/mask"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/proc"
	"git-ralph/internal/report"
	"git-ralph/internal/store"
)

// Code and plan are committed together. A crash before that leaves a plan with a done task, and uncommitted code. So the
// commit is recorded first, and the next run finishes it.

// A recordedCommit is a commit of files that is about to be made.
type recordedCommit struct {
	task    string // of the plan; "" for none
	message string
	files   []string
	report  report.Report // on the task
	gate    bool          // a person approves plans
}

// commitRecorded records a commit, if it has files: {"task", "message", "files": [{"path", "size", "time"}], "report", "gate"}, and makes
// it. The next run finishes a commit that was interrupted.
func (f finishedJob) commitRecorded(c recordedCommit, commit func() error) error {
	if len(c.files) == 0 {
		return commit()
	}
	record := []jsonl.Member{
		{Name: "task", Value: jsonl.Quote(c.task)},
		{Name: "message", Value: jsonl.Quote(c.message)},
		{Name: "files", Value: changes.SignaturesOf(f.Store.Repo().Root(), c.files).JSON()},
	}
	if text := c.report.Object().Text(); text != "" {
		record = append(record, jsonl.Member{Name: "report", Value: jsonl.Value(text)}, jsonl.Member{Name: "gate", Value: jsonl.Value(strconv.FormatBool(c.gate))})
	}
	f.Run.CommitBegan(jsonl.Build(record))
	err := commit()
	if !wasInterrupted(err) {
		f.Run.CommitEnded()
	}
	return err
}

// wasInterrupted reports whether a git command did not end by itself.
func wasInterrupted(err error) bool {
	return errors.Is(err, git.ErrTimeLimit) || errors.Is(err, git.ErrStopped) || errors.Is(err, context.Canceled) || proc.Signaled(err)
}

// RecoverCommit finishes the commit that a run was about to make when it, or its git command, was killed: with the plan, and
// with the recorded files that have not changed since and are not committed. If git refuses the commit, the task is
// rejected, since finished work must be in git; the warning says why. It must be called before anything else changes the
// plan, with no run under way. Without a recorded commit it does nothing.
func RecoverCommit(ctx context.Context, st *store.Store, j journal.Journal) (warning string, err error) {
	commit, found := j.UnfinishedCommit()
	if !found {
		return "", nil
	}
	err = finish(ctx, st, commit)
	if err == nil {
		j.ForgetCommit()
		return "", nil
	}
	if !causedByReport(err) && !errors.Is(err, git.ErrTimeLimit) {
		return "", err
	}
	j.ForgetCommit()
	if open, openErr := uncommittedOf(ctx, st.Repo(), commit); openErr == nil && len(open) == 0 { // git finished the commit after its run was killed
		return "", nil
	}
	id := journal.Text(commit, "task")
	if id == "" {
		return fmt.Sprintf("cannot finish the commit of a killed run: %v", err), nil
	}
	return fmt.Sprintf("cannot finish the commit of a killed run, so %s is not done: %v", id, err), rejectUncommitted(ctx, st, id, err)
}

// finish makes a recorded commit.
func finish(ctx context.Context, st *store.Store, commit jsonl.Object) error {
	id, message := journal.Text(commit, "task"), journal.Text(commit, "message")
	files, err := uncommittedOf(ctx, st.Repo(), commit)
	if err != nil {
		return err
	}
	switch {
	case id == "" && len(files) == 0:
		return nil
	case id == "": // it is of no task of the plan
		_, err := st.CommitFiles(ctx, message, files...)
		return err
	case len(files) == 0:
		return checkUnchanged(ctx, st, id)
	}
	result, err := st.Update(ctx, store.Request{
		OwnEdits: true, Files: files, Message: message, Clean: mask.NewFull().Object,
		Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
			task, found := p.Task(id)
			if !found || !task.Pending() || pipeline.IsReported(p, task) {
				return plan.Change{}, nil
			}
			w, gate, err := recordedWork(p, task, commit)
			if err != nil {
				return plan.Change{}, err
			}
			return w.finish(p, id, pipeline.Finishing{Gate: gate}, in)
		},
	})
	if err == nil && !result.Committed {
		_, err = st.CommitFiles(ctx, message, files...)
	}
	return err
}

// recordedWork returns what a recorded commit says of its task.
func recordedWork(p *plan.Plan, task plan.Record, commit jsonl.Object) (w work, gate bool, err error) {
	reported, isDocument := commit.Get("report")
	if isDocument {
		w, err = readWork(p, task, report.Of(reported.Object()))
	}
	approves, _ := commit.Get("gate")
	return w, approves == "true", err
}

// checkUnchanged returns an error if a task is done only in the file of the plan: then none of its work is left to commit.
func checkUnchanged(ctx context.Context, st *store.Store, id string) error {
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
		return fmt.Errorf("%w: the files have changed since", report.ErrUnusable)
	}
	return nil
}

// uncommittedOf lists the files of a recorded commit that are as they were when it was recorded, and not committed.
func uncommittedOf(ctx context.Context, repo *git.Repo, commit jsonl.Object) ([]string, error) {
	unchanged := changes.ReadSignatures(commit, "files").Unchanged(repo.Root())
	if len(unchanged) == 0 {
		return nil, nil
	}
	found, err := repo.Changes(ctx, unchanged...)
	paths := make([]string, len(found))
	for i, change := range found {
		paths[i] = change.Path
	}
	return paths, err
}
