package iteration

import (
	"context"
	"strconv"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

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

// recordDepth sets the depth of subtasks that the agent added by itself.
func (f finishedJob) recordDepth(ctx context.Context, before, after *planRejections) error {
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
	return f.update(ctx, store.Request{Subject: "record the depth of subtasks", Do: func(p *plan.Plan, _ store.Inputs) (plan.Change, error) {
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
