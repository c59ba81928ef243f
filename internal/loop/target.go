package loop

import (
	"context"
	"fmt"

	"git-ralph/internal/iteration"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// A target is a state with what the goals ask for next.
type target struct {
	iteration.State
	blocked error // why the task of the goals, or every task, is blocked; nil if it is not
}

// target reads the state. If an agent left a git operation that is still in progress, it returns the state before that
// agent.
func (l *Loop) target(ctx context.Context) (target, error) {
	if s := l.memory.Stuck; s != nil && l.Store.Repo().Operations().Unfinished() != "" {
		return target{State: *s}, nil
	}
	l.memory.Stuck = nil
	if l.Goals.Work != nil {
		return l.work(ctx)
	}
	s, err := iteration.Read(ctx, l.Store)
	if err != nil {
		return target{}, err
	}
	if l.Claims != nil {
		s.Next = schedule.Of(s.Plan).With(l.Claims(ctx)).Next()
	}
	return l.Goals.target(s), nil
}

// work returns a state with how the work in place of the plan is. Its tasks are done as those of BUILD are. The error is that it cannot go
// on, also when it cannot be read before an agent could have caused that.
func (l *Loop) work(ctx context.Context) (target, error) {
	s, err := iteration.ReadBeside(ctx, l.Store)
	if err != nil {
		return target{}, err
	}
	work, err := l.Goals.Work.Look(ctx)
	switch {
	case err != nil:
		return target{}, err
	case work.Over != nil:
		return target{}, work.Over
	case work.Invalid != nil && l.started == 0:
		return target{}, work.Invalid
	}
	s.Work, s.Next = &work, schedule.Next{Action: schedule.Build}
	return target{State: s}, nil
}

// target sets what is next to what the goals ask for, and to the issues if every task is blocked.
func (g Goals) target(s iteration.State) target {
	if g.Plan {
		s.Next = schedule.Next{Action: schedule.Plan}
		return target{State: s}
	}
	if g.Only != "" {
		if s.Next = nextIn(s.Plan, g.Only); g.Only == schedule.Investigate && g.HasWork(s.Plan) {
			s.Next.Item = iteration.AgentIssues(s.Plan)[0]
		}
		return target{State: s}
	}
	if len(s.Next.Stalled) > 0 && len(s.Plan.Of(plan.KindIssue)) > 0 {
		s.Next = schedule.Next{Action: schedule.Investigate, Item: schedule.Of(s.Plan).Issues()[0]}
	}
	t := skipPersonIssues(s)
	task, found := s.Plan.Task(g.Task)
	if g.Task == "" || !found || !task.Pending() {
		return t
	}
	t.blocked = nil
	if !schedule.Of(s.Plan).ForAgents(&task) {
		t.blocked = &NoAgentError{task.ID()}
		return t
	}
	if waits := s.Plan.BlockedBy(task); len(waits) > 0 {
		t.blocked = &plan.BlockedError{ID: task.ID(), WaitsFor: waits}
		return t
	}
	t.Next = schedule.Next{Action: schedule.Build, Item: &task}
	if task.Text("kill") != "" {
		t.Next.Action = schedule.Decompose
	}
	return t
}

// A NoAgentError says that no agent is started for a task.
type NoAgentError struct{ ID string }

func (e *NoAgentError) Error() string { return e.ID + " needs no agent: landing finishes it" }

// skipPersonIssues skips the issues that only a person may close. If there is no other, the done tasks are next, which can
// be verified all the same; if there are none, the target is blocked.
func skipPersonIssues(s iteration.State) target {
	if s.Next.Action != schedule.Investigate {
		return target{State: s}
	}
	sched := schedule.Of(s.Plan)
	if issues := iteration.AgentIssues(s.Plan); len(issues) > 0 {
		s.Next.Item = issues[0]
	} else if done := sched.ToVerify(); len(done) > 0 {
		s.Next = schedule.Next{Action: schedule.Verify, Items: done}
	} else {
		err := &plan.IssueForPersonError{ID: sched.Issues()[0].ID()}
		return target{s, fmt.Errorf("%w: %s", err, err.Hint())}
	}
	return target{State: s}
}
