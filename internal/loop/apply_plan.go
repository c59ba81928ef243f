package loop

import (
	"context"
	"fmt"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// applyPlan takes {"tasks"}. All are added in one commit, or none. An empty list says that the spec is fulfilled.
func (it *iteration) applyPlan(ctx context.Context, r report) error {
	tasks, err := r.tasks("tasks")
	if err != nil {
		return err
	}
	if get(r.object, "tasks").Kind() != jsonl.Array {
		return unusable("there is no list \"tasks\"")
	}
	if len(tasks) > 0 {
		err = it.update(ctx, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
			return p.AddTasks(tasks, in.Stamp)
		}})
	}
	it.planned = it.planned || err == nil
	return err
}

// applyDecompose takes {"tasks"}: they take the place of the task.
func (it *iteration) applyDecompose(ctx context.Context, now state, r report) error {
	parent, found := now.plan.Task(it.id())
	if !found || !parent.Pending() {
		return nil // the agent cut it up itself
	}
	tasks, err := r.tasks("tasks")
	if err != nil {
		return err
	}
	if len(tasks) == 0 {
		return fmt.Errorf("%w: %w", errReport, plan.ErrNoSubtasks)
	}
	for i, task := range tasks {
		tasks[i] = withDepth(task, depthOf(parent)+1)
	}
	return it.update(ctx, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		return p.Decompose(it.id(), tasks, in.Stamp)
	}})
}
