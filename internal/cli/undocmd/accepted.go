package undocmd

import (
	"context"
	"sync"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/git"
	repohistory "git-ralph/internal/history"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
	"git-ralph/internal/undo"
)

// acceptedBefore returns which tasks had been accepted before a commit brought them back; where the step is to make the commit's change again,
// which tasks it had accepted. The history is read only for a task that no message says was new, or was cancelled by the change that is made
// again: those were not accepted.
func (t *taking) acceptedBefore(ctx context.Context, h *history, s undo.Step) func(plan.Record) (attempt string, ok bool) {
	until := s.Commit.ID
	if !s.Again {
		until = h.parentOf(until)
	}
	added, cancelled := s.Commit.Times(plan.EventAdded), map[string]string{}
	if at, found := h.placeOf(s.Change()); s.Redo && found {
		if c, err := h.read(at); err == nil {
			cancelled = c.Times(plan.EventCancelled)
		}
	}
	endings := sync.OnceValue(func() map[string]*fold.Event { return t.endings(ctx, until) })
	return func(task plan.Record) (string, bool) {
		at := added[task.ID()]
		if _, found := cancelled[task.ID()]; found || at != "" && task.CreatedAt() >= at {
			return "", false
		}
		if e := endings()[task.ID()]; e != nil && e.Name == plan.EventAccepted {
			return e.Attempt, true
		}
		return "", false
	}
}

// endings returns the last event with which each record had left the plan up to a commit; none where the history cannot be read.
func (t *taking) endings(ctx context.Context, commit string) map[string]*fold.Event {
	last := map[string]*fold.Event{}
	id, err := git.ParseHash(commit)
	if err != nil {
		return last
	}
	all, err := repohistory.Read(ctx, planio.HistoryOf(t.env, t.st))
	if err != nil {
		return last
	}
	reached := all.Reaches(id)
	for _, e := range all.Events {
		if e.Ends() && reached != nil && reached(e) {
			last[e.ID] = e
		}
	}
	return last
}
