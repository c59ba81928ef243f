package iteration

import (
	"context"
	"slices"

	"git-ralph/internal/git/walk"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
)

// withOwnEnding returns steps in which the task of the iteration, where it was pending and is gone, has what the plans of the commits in
// between show: an agent that marks it done and accepts it has not cancelled it, nor has it a review that has approved a plan.
func (f finishedJob) withOwnEnding(ctx context.Context, steps []plan.Event, after State) []plan.Event {
	for i, s := range steps {
		if s.Name == plan.EventCancelled && f.hasApproved(s.ID, after.Plan) {
			steps[i].Name = plan.EventAccepted
		}
	}
	at := slices.IndexFunc(steps, func(s plan.Event) bool { return s.Name == plan.EventCancelled && s.ID == f.ID() })
	if at < 0 || f.State.Head == "" {
		return steps
	}
	commits, err := walk.CommitsChanging(ctx, f.Store.Repo(), f.State.Head, after.Head, f.Store.PlanPath())
	if err != nil {
		return steps
	}
	for _, commit := range slices.Backward(commits) {
		snap, err := f.Store.At(ctx, commit)
		if err != nil {
			continue
		}
		if task, found := snap.Plan.Task(f.ID()); found && task.Done() {
			since := slices.DeleteFunc(plan.Events(snap.Plan, after.Plan), func(s plan.Event) bool { return s.ID != f.ID() })
			done := steps[at]
			done.Name = plan.EventDone
			return slices.Replace(steps, at, at+1, append([]plan.Event{done}, since...)...)
		}
	}
	return steps
}

// warnOfOwnAcceptance warns of an agent that accepted the task that it had done itself: nobody else has verified it.
func (f finishedJob) warnOfOwnAcceptance(steps []plan.Event) {
	if f.Stage() == schedule.Verify || f.isReview() {
		return
	}
	missing := "there was no VERIFY of it"
	if f.itemTask().Step == pipeline.StepPlan {
		missing = "nobody else has reviewed the plan"
	}
	accepted := func(s plan.Event) bool { return s.Name == plan.EventAccepted && s.ID == f.ID() }
	if f.ID() != "" && slices.ContainsFunc(steps, accepted) {
		f.warn("%s was accepted by the agent that did it: %s; `git ralph issue add` asks for a review", f.ID(), missing)
	}
}
