package iteration

import (
	"context"
	"fmt"

	"git-ralph/internal/plan"
	"git-ralph/internal/report"
	"git-ralph/internal/store"
)

// applyPlan adds all tasks in one commit, or none.
func (f finishedJob) applyPlan(ctx context.Context, r report.Report) error {
	tasks, err := r.Plan()
	if err != nil || len(tasks) == 0 {
		return err
	}
	return f.change(ctx, func(p *plan.Plan, in store.Inputs) (plan.Change, error) { return p.AddTasks(tasks, in.Stamp) })
}

// applyDecompose puts tasks in the place of the task.
func (f finishedJob) applyDecompose(ctx context.Context, now State, r report.Report) error {
	parent, found := now.Plan.Task(f.ID())
	if !found || !parent.Pending() {
		return nil // the agent decomposed it itself
	}
	tasks, err := r.Decompose()
	if err != nil {
		return err
	}
	if len(tasks) == 0 {
		return fmt.Errorf("%w: %w", report.ErrUnusable, plan.ErrNoSubtasks)
	}
	for i, task := range tasks {
		tasks[i] = withDepth(task, depthOf(parent)+1)
	}
	return f.change(ctx, func(p *plan.Plan, in store.Inputs) (plan.Change, error) { return p.Decompose(f.ID(), tasks, in.Stamp) })
}
