package loop

import (
	"fmt"
	"slices"

	"git-ralph/internal/iteration"
	"git-ralph/internal/schedule"
)

// endReason returns why there is to be no further iteration, or "". A run does not end as complete while git is in the middle
// of an operation.
func (l *Loop) endReason(t target) (why Reason, text string) {
	why, text = l.goalOrLimit(t)
	if t.Operation != "" && (why == Complete || why == Reached || why == Nothing) {
		return NoProgress, "git is in the middle of a " + t.Operation + ": work may be lost with it"
	}
	return why, text
}

func (l *Loop) goalOrLimit(s target) (why Reason, text string) {
	first := l.started == 0
	if l.stopRequested() {
		return Interrupted, ""
	}
	if s.Work != nil {
		return l.workEnd(*s.Work, first)
	}
	if why, text := l.lostWork(s); why != "" && !first {
		return why, text
	}
	if why := l.goalReached(s, first); why != "" {
		return why, l.otherStage(s, why)
	}
	if l.Goals.Plan {
		return l.limitHit()
	}
	switch {
	case s.blocked != nil:
		return NoProgress, s.blocked.Error()
	case s.Next.Action == schedule.Plan && first:
		return Nothing, NoSpecText
	case s.Next.Action == schedule.Complete && first:
		return Nothing, CompleteText
	case s.Next.Action == schedule.Complete:
		return Complete, ""
	case s.Next.Action == schedule.Build && s.Next.Item == nil:
		if gate := GateText(s.Plan); gate != "" {
			return Gate, gate
		}
		if slices.ContainsFunc(s.Next.Stalled, func(stall schedule.Stall) bool { return stall.Claimed }) {
			return NoProgress, "every pending task is blocked, or somebody else has claimed it"
		}
		if !slices.ContainsFunc(s.Next.Stalled, func(stall schedule.Stall) bool { return !stall.NoAgent }) {
			return reachedAfter(first), "what is left needs no agent: landing finishes it, such as " + s.Next.Stalled[0].ID
		}
		return NoProgress, "every pending task is blocked"
	}
	return l.limitHit()
}

// reachedAfter returns Reached, or Nothing where nothing was done before.
func reachedAfter(first bool) Reason {
	if first {
		return Nothing
	}
	return Reached
}

// workEnd is goalOrLimit for work in place of the plan.
func (l *Loop) workEnd(w iteration.Work, first bool) (why Reason, text string) {
	switch {
	case w.IsDone() && first:
		return Nothing, "the work is done"
	case w.IsDone():
		return Complete, ""
	case l.Goals.Once && l.total.Iterations > 0:
		return Reached, ""
	}
	return l.limitHit()
}

// Why there is nothing to do, where planning helps.
const (
	NoSpecText   = "no spec is planned"
	CompleteText = "the plan is complete"
)

// otherStage says why there is nothing to do for a stage.
func (l *Loop) otherStage(s target, why Reason) string {
	if why != Nothing || l.Goals.Stage == "" || s.Next.Action == l.Goals.Stage {
		return ""
	}
	return fmt.Sprintf("the plan is in %s, not in %s", s.Next.Action, l.Goals.Stage)
}

// lostWork returns why the run has not reached its goal although it looks so: the plan, or tasks of it, were lost.
func (l *Loop) lostWork(s target) (why Reason, text string) {
	_, found := s.Plan.Task(l.Goals.Task)
	atEnd := s.Next.Action == schedule.Complete || l.Goals.Task != "" && !found || l.Goals.Stage != "" && s.Next.Action != l.Goals.Stage
	switch {
	case l.Goals.Plan || l.Goals.Once && l.total.Iterations > 0:
		return "", ""
	case s.Next.Action == schedule.Plan:
		return NoProgress, "the plan or its spec record is gone: see `git log -- " + l.Store.PlanPath() + "`"
	case l.lost > 0 && atEnd:
		return NoProgress, fmt.Sprintf("HEAD lost commits, and %s with them: see `git reflog`", plural(l.lost, "task"))
	}
	return "", ""
}

// goalReached returns Reached if the goal of the run is reached, Nothing if it
// was from the start, else "".
func (l *Loop) goalReached(s target, first bool) Reason {
	reached := reachedAfter(first)
	switch {
	case l.Goals.Once && l.total.Iterations > 0, l.planned:
		return Reached
	case l.Goals.Plan:
		return ""
	case l.Goals.Only != "" && !l.Goals.HasWork(s.Plan):
		return reached
	case l.Goals.Stage != "" && s.Next.Action != l.Goals.Stage && s.Next.Action != schedule.Complete:
		return reached
	case l.Goals.isReached(s.Plan):
		return reached
	}
	return ""
}

// stopRequested reports whether the run is to end after the iteration.
func (l *Loop) stopRequested() bool {
	select {
	case <-l.StopRequested:
		return true
	default:
		return false
	}
}
