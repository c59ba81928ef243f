package loop

import (
	"context"
	"fmt"
	"strings"

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
	var doubts []string
	if len(tasks) > 0 {
		err = it.update(ctx, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
			change, err := p.AddTasks(tasks, in.Stamp)
			if doubts = doubtsAbout(p, change.Records); err == nil && it.Goals.Strict && len(doubts) > 0 {
				err = unusable("these tasks cannot be checked by anybody, so nothing was added:\n%s", strings.Join(doubts, "\n"))
			}
			return change, err
		}})
	}
	if err == nil {
		it.planned = true
		for _, doubt := range doubts {
			it.warn(it.n, "%s", doubt)
		}
	}
	return err
}

// doubtsAbout looks at new tasks a second time: what cannot be checked will be called done too early.
func doubtsAbout(p *plan.Plan, added []plan.Record) []string {
	vague := p.Vague()
	var doubts []string
	for _, r := range added {
		if why, found := vague[r.ID()]; found {
			doubts = append(doubts, r.ID()+" "+r.Name()+": "+why)
		}
	}
	return doubts
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
