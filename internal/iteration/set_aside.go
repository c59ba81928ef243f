package iteration

import (
	"context"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// setAside makes a task wait for a new issue that says why there is no
// progress.
func (f finishedJob) setAside(ctx context.Context, id, why string) error {
	return f.change(ctx, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		task, found := p.Task(id)
		if !found {
			return plan.Change{}, plan.ErrNothing
		}
		return setAside(p, in, task, why, nil)
	})
}

// setAside is the mutation of the method; it can add further issues.
func setAside(p *plan.Plan, in store.Inputs, task plan.Record, why string, issues []string) (plan.Change, error) {
	added, err := p.AddIssues(issueObjects(task, append([]string{task.ID() + " " + task.Name() + ": " + why}, issues...)), in.Stamp)
	if err != nil {
		return plan.Change{}, err
	}
	deps := append(task.Deps(), added.Records[0].ID())
	waiting, err := p.Edit(task.ID(), []jsonl.Member{{Name: "deps", Value: jsonl.List(deps)}}, nil)
	added.Join(waiting)
	return added, err
}
