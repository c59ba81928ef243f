package iteration

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"git-ralph/internal/agent"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// What is done about tasks that do not get on. Nothing is kept in memory: a run that is broken off and started again
// counts on from what the plan says.

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
	if a.ended.End == agent.OutOfBounds {
		why = "context"
	}
	if depthOf(task) >= maxDepth {
		return a.setAside(ctx, task.ID(), fmt.Sprintf("stopped (%s) although it was cut out of larger tasks %d times; log %s", why, maxDepth, a.Log(a.Job)))
	}
	return a.change(ctx, func(p *plan.Plan, _ store.Inputs) (plan.Change, error) { return p.Kill(task.ID(), why, a.Log(a.Job)) })
}

// depthOf returns how often a task was decomposed from another one.
func depthOf(task plan.Record) int { return countIn(task, depthMeta) }

// countIn returns a number in a task's "meta", 0 where there is none.
func countIn(task plan.Record, name string) int {
	value, _ := task.Get("meta")
	meta, err := jsonl.ParseObject(string(value))
	if err != nil {
		return 0
	}
	number, _ := meta.Get(name)
	text, ok := number.Str()
	if !ok {
		text = string(number)
	}
	n, _ := strconv.Atoi(text)
	return n
}

// withDepth sets the depth of a task that is to be added.
func withDepth(task jsonl.Object, depth int) jsonl.Object {
	meta := jsonl.Build([]jsonl.Member{{Name: depthMeta, Value: jsonl.Value(strconv.Itoa(depth))}})
	return jsonl.Build(append(task.Members(), jsonl.Member{Name: "meta", Value: jsonl.Value(meta.Text())}))
}

// setAside makes a task wait for a new issue that says why it does not get on.
func (a attempt) setAside(ctx context.Context, id, why string) error {
	return a.change(ctx, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		task, found := p.Task(id)
		if !found {
			return plan.Change{}, plan.ErrNothing
		}
		return setAside(p, in, task, why, nil)
	})
}

// setAside is the change of the method; it also adds further issues.
func setAside(p *plan.Plan, in store.Inputs, task plan.Record, why string, issues []string) (plan.Change, error) {
	added, err := p.AddIssues(issueObjects(append([]string{task.ID() + " " + task.Name() + ": " + why}, issues...)), in.Stamp)
	if err != nil {
		return plan.Change{}, err
	}
	deps := append(task.Deps(), added.Records[0].ID())
	waiting, err := p.Edit(task.ID(), []jsonl.Member{{Name: "deps", Value: jsonl.List(deps)}}, nil)
	added.Join(waiting)
	return added, err
}

// guardTasks looks at what happened to tasks, whoever did it: one that was blocked is counted, those that were rejected
// too often are set aside, and those that were decomposed from another one are marked with their depth.
func (a attempt) guardTasks(ctx context.Context, now State) error {
	if err := a.guardBlocked(ctx, now); err != nil {
		return err
	}
	before, after := catalogueOf(a.State.Plan), catalogueOf(now.Plan)
	if err := a.guardRejected(ctx, before, after); err != nil {
		return err
	}
	return a.guardDepth(ctx, before, after)
}

// guardRejected sets tasks aside that were rejected too often. A task and those that it superseded count as one: else a
// task that is given another id each time would never be.
func (a attempt) guardRejected(ctx context.Context, before, after *catalogue) error {
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

// guardDepth sets the depth of subtasks that the agent added by itself.
func (a attempt) guardDepth(ctx context.Context, before, after *catalogue) error {
	deeper := map[string]int{}
	for _, task := range after.tasks.Records {
		if _, old := before.tasks.Find(task.ID()); old || depthOf(task) > 0 {
			continue
		}
		if parent, found := before.tasks.Find(task.Text("parent")); found {
			deeper[task.ID()] = depthOf(parent) + 1
		}
	}
	if len(deeper) == 0 {
		return nil
	}
	return a.update(ctx, store.Request{Subject: "note how deep subtasks are", Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
		var all plan.Change
		for _, task := range p.Of(plan.KindTask) {
			depth, ok := deeper[task.ID()]
			if !ok {
				continue
			}
			one, err := p.Edit(task.ID(), nil, []jsonl.Member{{Name: depthMeta, Value: jsonl.Value(strconv.Itoa(depth))}})
			if err != nil {
				return plan.Change{}, err
			}
			all.Join(one)
		}
		return all, nil
	}})
}

// AgentIssues returns the issues that an agent may look into, in their order.
func AgentIssues(p *plan.Plan) []*plan.Record {
	var issues []*plan.Record
	for _, r := range schedule.Of(p).Issues() {
		if !r.IsPersons() {
			issues = append(issues, r)
		}
	}
	return issues
}
