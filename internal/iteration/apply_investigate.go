package iteration

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/report"
	"git-ralph/internal/store"
)

// applyInvestigate adds tasks and closes issues. What waited for an issue then waits for the tasks made of it.
func (f finishedJob) applyInvestigate(ctx context.Context, r report.Report) error {
	found, err := r.Investigate()
	if err != nil {
		return err
	}
	var refused error // the rest is applied all the same
	err = f.change(ctx, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		refused = f.refusedIssue(p, found.Resolved)
		added, err := addTasks(p, found.Tasks, in)
		if err != nil {
			return plan.Change{}, err
		}
		return closeIssues(p, added, found.Resolved)
	})
	return cmp.Or(err, refused)
}

// refusedIssue returns an error where an agent may not resolve one of some issues.
func (f finishedJob) refusedIssue(p *plan.Plan, ids []string) (refused error) {
	for _, id := range ids {
		if !f.knows(p, id) {
			refused = &plan.UnknownIDError{Kind: plan.KindIssue, ID: id}
		}
	}
	for _, id := range ids {
		if issue, open := p.Issue(id); open && issue.IsForPerson() {
			refused = fmt.Errorf("%w: %w", report.ErrUnusable, &plan.IssueForPersonError{ID: id})
		}
	}
	return refused
}

// closeIssues closes the issues that agents may close. The change that it returns includes added.
func closeIssues(p *plan.Plan, added plan.Change, ids []string) (plan.Change, error) {
	all := added
	for _, id := range ids {
		if issue, open := p.Issue(id); !open || issue.IsForPerson() {
			continue
		}
		moved, err := waitForTasks(p, id, added.Records)
		if err != nil {
			return plan.Change{}, err
		}
		closed, err := p.CloseIssues([]string{id})
		if err != nil {
			return plan.Change{}, err
		}
		all.Join(moved)
		all.Join(closed)
	}
	return all, nil
}

// waitForTasks makes what waits for an issue wait for the tasks that were made of it instead.
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
		all.Join(changed)
	}
	return all, nil
}
