package iteration

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"git-ralph/internal/agent"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/store"
)

// An agent that reports a task as blocked and one that reports the issue as resolved could alternate forever. So the task
// counts how often it was blocked, and every third time only a person may close the issue.

const (
	maxBlocked  = 3
	blockedMeta = "blocked"
)

// setBlocked makes a task wait for a new issue that says why an agent cannot do it, and adds further issues.
func (f finishedJob) setBlocked(ctx context.Context, id, reason string, issues []string) error {
	return f.change(ctx, func(p *plan.Plan, in store.Inputs) (plan.Change, error) {
		task, found := p.Task(id)
		if !found {
			return plan.Change{}, plan.ErrNothing
		}
		why := "blocked: " + reason
		if n := countIn(task, blockedMeta) + 1; n%maxBlocked == 0 {
			why = fmt.Sprintf("blocked %d times, last: %s (only a person closes this issue)", n, reason)
		}
		aside, err := setAside(p, in, task, why, issues)
		if err != nil {
			return plan.Change{}, err
		}
		counted, err := countBlocked(p, id, []string{aside.Records[0].ID()})
		aside.Join(counted)
		return aside, err
	})
}

// countBlocked counts in a task that issues blocked it once more.
func countBlocked(p *plan.Plan, id string, issues []string) (plan.Change, error) {
	task, _ := p.Task(id)
	n := countIn(task, blockedMeta) + 1
	counted, err := p.Edit(id, nil, []jsonl.Member{{Name: blockedMeta, Value: jsonl.Value(strconv.Itoa(n))}})
	if err != nil || n%maxBlocked != 0 {
		return counted, err
	}
	left, err := p.LeaveIssuesToPerson(issues)
	counted.Join(left)
	return counted, err
}

// countOwnBlocked counts a task as blocked that the agent itself made wait for an issue, by a command or by hand.
func (f finishedJob) countOwnBlocked(ctx context.Context, now State) error {
	task, found := now.Plan.Task(f.ID())
	was, _ := f.State.Plan.Task(f.ID())
	if f.Stage() != schedule.Build || f.ended.End != agent.Exited || !found || !task.Pending() ||
		countIn(task, blockedMeta) != countIn(was, blockedMeta) {
		return nil
	}
	fresh := slices.DeleteFunc(task.Deps(), func(id string) bool {
		_, isIssue := now.Plan.Issue(id)
		return !isIssue || slices.Contains(was.Deps(), id)
	})
	if len(fresh) == 0 {
		return nil
	}
	return f.update(ctx, store.Request{
		Subject: "count that " + task.ID() + " is blocked",
		Do:      func(p *plan.Plan, _ store.Inputs) (plan.Change, error) { return countBlocked(p, task.ID(), fresh) },
	})
}
