package land

import (
	"context"
	"fmt"

	"git-ralph/internal/claim"
	"git-ralph/internal/claim/authority"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// SetAside makes a task that workers in a row left without a commit wait for an issue that says so, in the target's plan, and deletes
// the last claim of them, in one transaction. It reports false where the claim is another one now.
func SetAside(ctx context.Context, st *store.Store, claims *authority.Claims, o Options, abandoned claim.Held) (did bool, err error) {
	l, err := newLander(ctx, st, claims, o)
	if err != nil {
		return false, err
	}
	defer l.reader.Close()
	same := func(h claim.Held) bool { return h.Object == abandoned.Object }
	why := fmt.Sprintf("%d workers in a row left it without a commit", claim.MaxSteals)
	err = l.endClaimIf(ctx, abandoned.ID, same, func(p *plan.Plan) (plan.Change, error) { return l.wait(p, abandoned.ID, why) })
	return len(l.result.Commits) > 0, err
}

// wait makes a task wait for a new issue.
func (l *lander) wait(p *plan.Plan, id, why string) (plan.Change, error) {
	task, found := p.Task(id)
	if !found {
		return plan.Change{}, plan.ErrNothing
	}
	issue := jsonl.Build(append(task.ItemLink(), jsonl.Member{Name: "desc", Value: jsonl.Quote(id + " " + task.Name() + ": " + why)}))
	c, err := p.AddIssues([]jsonl.Object{issue}, l.st.Stamp())
	if err != nil {
		return plan.Change{}, err
	}
	waiting, err := p.Edit(id, []jsonl.Member{{Name: "deps", Value: jsonl.List(append(task.Deps(), c.Records[0].ID()))}}, nil)
	c.Join(waiting)
	return c, err
}
