package undocmd

import (
	"sync"

	"git-ralph/internal/git"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
	"git-ralph/internal/undo"
)

// acceptedBefore returns which tasks had been accepted before a commit brought them back; where the step is to make the commit's change again,
// which tasks it had accepted. The history is read only for a task that no message says was new, or was cancelled by the change that is made
// again: those were not accepted. Where it was not read yet, needsPast is set.
func (t *taking) acceptedBefore(h *history, s undo.Step) func(plan.Record) (attempt string, ok bool) {
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
	endings := sync.OnceValue(func() map[string]*fold.Event { return endingsIn(t.past, until) })
	return func(task plan.Record) (string, bool) {
		at := added[task.ID()]
		if _, found := cancelled[task.ID()]; found || at != "" && task.CreatedAt() >= at {
			return "", false
		}
		if t.past == nil {
			t.needsPast = true
			return "", false
		}
		if e := endings()[task.ID()]; e != nil && e.Name == plan.EventAccepted {
			return e.Attempt, true
		}
		return "", false
	}
}

// endingsIn returns the last event with which each record had left the plan up to a commit.
func endingsIn(h *fold.History, commit string) map[string]*fold.Event {
	last := map[string]*fold.Event{}
	id, err := git.ParseHash(commit)
	if err != nil { // nothing was before the first commit
		return last
	}
	reached := h.Reaches(id)
	for _, e := range h.Events {
		if e.Ends() && reached != nil && reached(e) {
			last[e.ID] = e
		}
	}
	return last
}
