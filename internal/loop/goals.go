package loop

import (
	"context"
	"fmt"
	"time"

	"git-ralph/internal/iteration"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// Goals say how far a run goes. Zero values set no limit.
type Goals struct {
	Iterations int
	Time       time.Duration
	Cost       float64 // US dollars
	Tokens     int
	Once       bool           // one iteration
	Stage      schedule.Stage // as long as the plan is in it
	Task       string         // until this task is done
	Push       bool           // fetch, rebase and push after each iteration that accepted something
	Plan       bool           // plan the current spec, and nothing else
	Spec       string         // of Plan, in a preview: the spec that would become the current one
	Strict     bool           // new tasks whose acceptance criteria cannot be checked are refused
}

// A target is a state whose next is what the goals ask for.
type target struct {
	iteration.State
	blocked error // what it waits for; nil where it does not
}

// target reads the state, or returns that before an agent left the operation which is still in progress.
func (l *Loop) target(ctx context.Context) (target, error) {
	if s := l.memory.Stuck; s != nil && l.Store.Repo().Operations().Unfinished() != "" {
		return target{State: *s}, nil
	}
	l.memory.Stuck = nil
	s, err := iteration.Read(ctx, l.Store)
	if err != nil {
		return target{}, err
	}
	return l.Goals.target(s), nil
}

// target turns next to what the goals ask for, and to the issues where every task waits.
func (g Goals) target(s iteration.State) target {
	if g.Plan {
		s.Next = schedule.Next{Action: schedule.Plan}
		return target{State: s}
	}
	if len(s.Next.Stalled) > 0 && len(s.Plan.Of(plan.KindIssue)) > 0 {
		s.Next = schedule.Next{Action: schedule.Investigate, Item: schedule.Of(s.Plan).Issues()[0]}
	}
	t := withoutPersons(s)
	task, found := s.Plan.Task(g.Task)
	if g.Task == "" || !found || !task.Pending() {
		return t
	}
	t.blocked = nil
	if waits := s.Plan.Waits(task); len(waits) > 0 {
		t.blocked = &plan.BlockedError{ID: task.ID(), Waits: waits}
		return t
	}
	t.Next = schedule.Next{Action: schedule.Build, Item: &task}
	if task.Text("kill") != "" {
		t.Next.Action = schedule.Decompose
	}
	return t
}

// withoutPersons turns from issues that only a person closes to the done tasks, which can be verified all the same, or
// says that nothing else is left.
func withoutPersons(s iteration.State) target {
	if s.Next.Action != schedule.Investigate {
		return target{State: s}
	}
	sched := schedule.Of(s.Plan)
	if issues := iteration.AgentIssues(s.Plan); len(issues) > 0 {
		s.Next.Item = issues[0]
	} else if done := sched.Done(); len(done) > 0 {
		s.Next = schedule.Next{Action: schedule.Verify, Items: done}
	} else {
		err := &plan.PersonError{ID: sched.Issues()[0].ID()}
		return target{s, fmt.Errorf("%w: %s", err, err.Hint())}
	}
	return target{State: s}
}

// over returns why there is to be no further iteration, if so.
func (l *Loop) over(t target) (why Reason, text string) {
	why, text = l.ends(t)
	if t.Operation != "" && (why == Complete || why == Reached || why == Nothing) {
		return NoProgress, "git is in the middle of a " + t.Operation + ": what was done may be lost with it"
	}
	return why, text
}

func (l *Loop) ends(s target) (why Reason, text string) {
	first := l.started == 0
	if l.stopRequested() {
		return Interrupted, ""
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
		return NoProgress, "every task waits for another"
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

// lostWork returns why what looks like an end is none: the plan, or tasks of it, were lost.
func (l *Loop) lostWork(s target) (why Reason, text string) {
	_, found := s.Plan.Task(l.Goals.Task)
	atEnd := s.Next.Action == schedule.Complete || l.Goals.Task != "" && !found || l.Goals.Stage != "" && s.Next.Action != l.Goals.Stage
	switch {
	case l.Goals.Plan || l.Goals.Once && l.total.Iterations > 0:
		return "", ""
	case s.Next.Action == schedule.Plan:
		return NoProgress, "the plan is gone, or its spec; `git log -- " + l.Store.PlanPath() + "` has them"
	case l.lost > 0 && atEnd:
		return NoProgress, fmt.Sprintf("HEAD lost commits, and %s with them; `git reflog` has them", plural(l.lost, "task"))
	}
	return "", ""
}

// goalReached reports whether what the run is for is done, or cannot begin.
func (l *Loop) goalReached(s target, first bool) Reason {
	reached := Reached
	if first {
		reached = Nothing
	}
	task, found := s.Plan.Task(l.Goals.Task)
	switch {
	case l.Goals.Once && l.total.Iterations > 0, l.planned:
		return Reached
	case l.Goals.Plan:
		return ""
	case l.Goals.Stage != "" && s.Next.Action != l.Goals.Stage && s.Next.Action != schedule.Complete:
		return reached
	case l.Goals.Task != "" && (!found || !task.Pending()):
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
