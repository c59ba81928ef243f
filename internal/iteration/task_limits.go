package iteration

import (
	"cmp"
	"context"
	"fmt"

	"git-ralph/internal/agent"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// The limits of tasks that make no progress. The counts are in the plan, so that a run that was interrupted and started again
// continues them.

const (
	maxDepth   = 3 // how often what a task was decomposed into may be decomposed itself
	maxRejects = 3 // how often a task is rejected before it is set aside
	depthMeta  = "depth"
)

// kill marks the task with why its agent was killed, so that it is decomposed next. One that was decomposed from others
// too often is set aside instead.
func (a attempt) kill(ctx context.Context, now State) error {
	task, found := now.Plan.Task(a.ID())
	if !found || !task.Pending() || task.Text("kill") != "" {
		return nil // done before the end came; the stage works on many; or killed while decomposing, which is tried again
	}
	why := "timeout"
	if a.ended.End == agent.ContextFull {
		why = "context"
	}
	if depthOf(task) >= maxDepth {
		return a.setAside(ctx, task.ID(), fmt.Sprintf("stopped (%s) although it was decomposed %d times; log %s", why, maxDepth, a.Log(a.Job)))
	}
	return a.change(ctx, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) { return p.Kill(task.ID(), why, a.Log(a.Job)) })
}

// enforceTaskLimits applies the limits to what happened to tasks, whoever did it: it counts how often a task was blocked, sets
// tasks aside that were rejected too often, and records the depth of subtasks.
func (a attempt) enforceTaskLimits(ctx context.Context, now State) error {
	if err := a.limitBlocked(ctx, now); err != nil {
		return err
	}
	before, after := planRejectionsOf(a.State.Plan), planRejectionsOf(now.Plan)
	if err := a.limitRejections(ctx, before, after); err != nil {
		return err
	}
	return a.recordDepth(ctx, before, after)
}

// limitRejections sets tasks aside that were rejected too often. Rejections of superseded tasks count too: otherwise a task that
// gets a new id each time would never reach the limit.
func (a attempt) limitRejections(ctx context.Context, before, after *planRejections) error {
	var past Rejections
	for _, task := range after.tasks.Records {
		fresh := after.newRejections(task, before)
		if fresh == 0 || !task.Pending() {
			continue
		}
		if past == nil {
			past = a.past(ctx, a.N, task.ID())
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
		if err := a.setAside(ctx, task.ID(), why); err != nil {
			return err
		}
	}
	return nil
}
