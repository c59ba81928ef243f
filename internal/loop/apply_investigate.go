package loop

import (
	"cmp"
	"context"
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// applyInvestigate takes {"tasks", "resolved": [{"issue_id", "reason"} | "i-…"]}. What waited for an issue that became
// tasks waits for these.
func (it *iteration) applyInvestigate(ctx context.Context, r report) error {
	tasks, err := r.tasks("tasks")
	if err != nil {
		return err
	}
	resolved, err := r.issueIDs("resolved")
	if err != nil {
		return err
	}
	var refused error // the rest is good all the same
	err = it.update(ctx, store.Request{Do: func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		refused = nil
		for _, id := range resolved {
			if !it.knows(p, id) {
				refused = &plan.UnknownIDError{Kind: plan.KindIssue, ID: id}
			}
		}
		for _, id := range resolved {
			if issue, open := p.Issue(id); open && issue.IsPersons() {
				refused = unusable("%v", &plan.PersonError{ID: id})
			}
		}
		return settleIssues(p, tasks, resolved, in)
	}})
	return cmp.Or(err, refused)
}

// issueIDs returns a list of ids, which may stand alone or in objects.
func (r report) issueIDs(name string) ([]string, error) {
	elements, _ := get(r.object, name).Elements()
	var ids []string
	for _, e := range elements {
		id, ok := e.Str()
		if object, err := jsonl.ParseObject(string(e)); err == nil {
			id, ok = firstText(object, "issue_id", "id"), true
		}
		if !ok || id == "" {
			return nil, unusable("%q holds something that names no issue: %s", name, e)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func settleIssues(p *plan.Plan, tasks []jsonl.Object, resolved []string, in store.Inputs) (plan.Change, error) {
	var all plan.Change
	if len(tasks) > 0 {
		added, err := p.AddTasks(tasks, in.Stamp)
		if err != nil {
			return plan.Change{}, err
		}
		all = added
	}
	for _, id := range resolved {
		if issue, open := p.Issue(id); !open || issue.IsPersons() {
			continue
		}
		moved, err := waitForTasks(p, id, all.Records)
		if err != nil {
			return plan.Change{}, err
		}
		closed, err := p.CloseIssues([]string{id})
		if err != nil {
			return plan.Change{}, err
		}
		all = joined(all, moved, closed)
	}
	return all, nil
}

// waitForTasks lets what waits for an issue wait for the tasks that were made of it instead.
func waitForTasks(p *plan.Plan, issue string, added []plan.Record) (plan.Change, error) {
	var made []string
	for _, r := range added {
		if r.Text("created_from") == issue {
			made = append(made, r.ID())
		}
	}
	var all plan.Change
	for _, task := range p.Of(plan.KindTask) {
		deps := task.Deps()
		at := slices.Index(deps, issue)
		if at < 0 || slices.Contains(made, task.ID()) {
			continue
		}
		deps = slices.Replace(slices.Clone(deps), at, at+1, made...)
		changed, err := p.Edit(task.ID(), []jsonl.Member{{Name: "deps", Value: jsonl.List(deps)}}, nil)
		if err != nil {
			return plan.Change{}, err
		}
		all = joined(all, changed)
	}
	return all, nil
}
