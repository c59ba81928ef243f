package loop

import (
	"context"
	"fmt"

	"git-ralph/internal/iteration"
)

const (
	maxIdleIterations    = 3 // iterations in a row without progress
	maxDamagedIterations = 2 // iterations in a row that deleted the journal or left an invalid plan
)

// A streak counts iterations in a row.
type streak struct {
	idle    int // without progress
	failed  int // of these, those in which the agent failed
	damaged int // in which the agent destroyed something
}

// endReasonAfter returns why the run ends after an iteration, or "".
func (l *Loop) endReasonAfter(ctx context.Context, n int, o iteration.Outcome) (why Reason, text string) {
	switch o.Result {
	case iteration.Interrupted:
		return Interrupted, ""
	case iteration.Limited:
		return l.waitForService(ctx, n, o)
	}
	l.waits = waits{}
	return l.streak.add(o, l.Goals.Once)
}

// add counts an iteration, and returns why the run ends, if it does.
func (s *streak) add(o iteration.Outcome, once bool) (why Reason, text string) {
	failed := o.Result == iteration.Failed
	if s.damaged++; o.Damage == "" {
		s.damaged = 0
	}
	if s.idle++; failed {
		s.failed++
	}
	if o.Progress {
		s.idle, s.failed = 0, 0
	}
	switch {
	case s.damaged >= maxDamagedIterations:
		return AgentFails, o.Damage + "; so did the iteration before: see `git ralph logs`"
	case o.Progress:
		return "", ""
	case once && failed:
		return AgentFails, o.Text
	case once:
		return NoProgress, o.Text
	case s.idle < maxIdleIterations:
		return "", ""
	case s.failed >= maxIdleIterations:
		return AgentFails, o.Text
	}
	return NoProgress, fmt.Sprintf("%d iterations in a row changed nothing", s.idle)
}
