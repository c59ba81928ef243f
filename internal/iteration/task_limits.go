package iteration

import (
	"cmp"
	"context"
	"fmt"

	"git-ralph/internal/agent"
	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// The limits of tasks that make no progress. The counts are in the plan, so that a run that was interrupted and started again
// continues them.

const (
	maxDepth   = 3 // how often a task may be decomposed, counting the tasks that it comes from
	maxRejects = 3 // how often a task is rejected before it is set aside
	depthMeta  = "depth"
)

// kill records in the task why its agent was killed, so that it is decomposed next. If it comes from too many decompositions
// already, or writes a document about items, it is set aside instead.
func (f finishedJob) kill(ctx context.Context, now State) error {
	task, found := now.Plan.Task(f.ID())
	if !found || !task.Pending() || task.Text("kill") != "" {
		return nil // done before it was killed; or no single task; or killed while decomposing, which is tried again
	}
	why := "timeout"
	if f.ended.End == agent.ContextFull {
		why = "context"
	}
	if t, _ := pipeline.TaskOf(now.Plan, task); t.Step != "" && !t.Step.IsCode() { // a decision does not come in parts
		return f.setAside(ctx, task.ID(), fmt.Sprintf("stopped (%s); log %s", why, f.Log(f.Job)))
	}
	if depthOf(task) >= maxDepth {
		return f.setAside(ctx, task.ID(), fmt.Sprintf("stopped (%s) although it was decomposed %d times; log %s", why, maxDepth, f.Log(f.Job)))
	}
	return f.change(ctx, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) { return p.Kill(task.ID(), why, f.Log(f.Job)) })
}

// enforceTaskLimits applies the limits to all changes of tasks, whoever made them: it counts how often a task was blocked,
// sets tasks aside that were rejected too often, and records the depth of subtasks.
func (f finishedJob) enforceTaskLimits(ctx context.Context, now State) error {
	if err := f.countOwnBlocked(ctx, now); err != nil {
		return err
	}
	before, after := planRejectionsOf(f.State.Plan), planRejectionsOf(now.Plan)
	if err := f.limitRejections(ctx, now.Plan, before, after); err != nil {
		return err
	}
	return f.recordDepth(ctx, before, after)
}

// limitRejections sets tasks aside that were rejected too often. Rejections of superseded tasks count too: otherwise a task that
// gets a new id each time would never reach the limit.
func (f finishedJob) limitRejections(ctx context.Context, now *plan.Plan, before, after *planRejections) error {
	var past Rejections
	for _, task := range after.tasks.Records {
		fresh := after.newRejections(task, before)
		if fresh == 0 || !task.Pending() {
			continue
		}
		if t, _ := pipeline.TaskOf(now, task); t.Step == pipeline.StepPlan {
			continue // its reviews have a limit of their own
		}
		if past == nil {
			past = f.past(ctx, f.N, task.ID())
		}
		reasons := past(task.ID())
		if inPlan := after.reasons(task); len(inPlan) > len(reasons) { // not all may be committed
			reasons = inPlan
		}
		n := len(reasons)
		if n/maxRejects == (n-fresh)/maxRejects {
			continue
		}
		why := fmt.Sprintf("rejected %d times, last: %s", n, cmp.Or(task.Text("reject"), reasons[n-1]))
		if err := f.setAside(ctx, task.ID(), why); err != nil {
			return err
		}
	}
	return nil
}
