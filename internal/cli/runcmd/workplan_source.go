package runcmd

import (
	"context"
	"errors"

	"git-ralph/internal/cli/hubgate"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/workplancmd"
	"git-ralph/internal/cli/workplanview"
	"git-ralph/internal/iteration"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
	"git-ralph/internal/workplan"
	"git-ralph/internal/workplanloop"
)

// A workplanSource is the workplan that a run works off.
type workplanSource struct {
	env   *term.Env
	store *store.Store // of the user's worktree
	file  string       // absolute
	name  string       // as the user named it
}

// Look returns how the workplan is now.
func (s workplanSource) Look(ctx context.Context) (iteration.Work, error) {
	seen, err := workplanview.Look(ctx, s.env, s.store.Repo(), s.file)
	w := iteration.Work{Mark: seen.Mark, Promised: workplanloop.Promised}
	f := seen.Plan
	switch {
	case err != nil:
		return w, err
	case seen.Gone:
		w.Over = workplancmd.MissingError(s.name)
		return w, nil
	case f == nil:
		w.Invalid, w.Prompt = seen.Invalid, term.PrintableLines(workplanloop.RepairPrompt(seen.Invalid.Error()))
		return w, nil
	case f.Status == workplan.Paused:
		w.Over = workplancmd.PausedError(f)
	}
	if missing := f.Missing(); missing != "" {
		w.Missing = "the workplan is not done: " + missing
	}
	next, open := f.Next()
	if !open { // it is to be closed
		next.ID, next.Name = f.ID, f.Title
	}
	w.ID, w.Name, w.Left, w.Done = workplan.Shown(next.ID), next.Name, len(f.Unfinished()), doneTasks(f)
	w.Prompt = term.PrintableLines(workplanloop.RunPrompt(s.file, f, seen.Hub))
	return w, nil
}

// doneTasks returns an event for each task that is done.
func doneTasks(f *workplan.File) (all []plan.Event) {
	for _, t := range f.Tasks {
		if t.Status == workplan.Done {
			all = append(all, plan.Event{Name: plan.EventDone, ID: workplan.Shown(t.ID), Title: t.Name})
		}
	}
	return all
}

// send sends what waits for the State Hub.
func (s workplanSource) send(ctx context.Context) {
	seen, err := workplanview.Look(ctx, s.env, s.store.Repo(), s.file)
	if err != nil || seen.Plan == nil {
		return
	}
	if err := hubgate.New(s.env).Send(ctx, seen.Plan); err != nil && !errors.Is(err, context.Canceled) {
		s.env.Warn(err.Error())
	}
}
