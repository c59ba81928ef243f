package loop

import (
	"slices"

	"git-ralph/internal/plan"
)

// A catalogue finds the records of one plan. Looking up each by itself would take the square of their number, several times
// an iteration.
type catalogue struct {
	tasks, issues []plan.Record
	taskAt        map[string]int
	issueAt       map[string]int
	rejections    map[string][]string       // why attempts were rejected, by the task's id
	heirs         map[string]plan.EventName // what became of tasks that others say they took the place of
}

func catalogueOf(p *plan.Plan) *catalogue {
	c := &catalogue{
		tasks: p.Of(plan.KindTask), issues: p.Of(plan.KindIssue),
		rejections: map[string][]string{}, heirs: map[string]plan.EventName{},
	}
	c.taskAt, c.issueAt = places(c.tasks), places(c.issues)
	for _, r := range p.Of(plan.KindReject) {
		if r.Text("done_at") != "" { // else the task was superseded before anyone did it
			c.rejections[r.ID()] = append(c.rejections[r.ID()], r.Text("reason"))
		}
	}
	for _, r := range c.tasks {
		if id := r.Text("supersedes"); id != "" && c.heirs[id] == "" {
			c.heirs[id] = plan.EventSuperseded
		}
		if id := r.Text("parent"); id != "" {
			c.heirs[id] = plan.EventDecomposed
		}
	}
	return c
}

func places(records []plan.Record) map[string]int {
	at := make(map[string]int, len(records))
	for i := range records {
		at[records[i].ID()] = i
	}
	return at
}

func (c *catalogue) task(id string) (r plan.Record, found bool) {
	at, found := c.taskAt[id]
	if found {
		r = c.tasks[at]
	}
	return r, found
}

func (c *catalogue) issue(id string) (r plan.Record, found bool) {
	at, found := c.issueAt[id]
	if found {
		r = c.issues[at]
	}
	return r, found
}

// departure says why a task is not in the plan any more.
func (c *catalogue) departure(was plan.Record) plan.EventName {
	switch {
	case c.heirs[was.ID()] != "":
		return c.heirs[was.ID()]
	case was.Done():
		return plan.EventAccepted
	}
	return plan.EventCancelled
}

// reasons lists why the plan says that a task, and the one whose place it took, was rejected.
func (c *catalogue) reasons(task plan.Record) []string {
	return slices.Concat(c.rejections[task.Text("supersedes")], c.rejections[task.ID()])
}

// freshRejections counts those since before: of a task that is new, those of the one whose place it took.
func (c *catalogue) freshRejections(task plan.Record, before *catalogue) int {
	since := func(id string) int { return len(c.rejections[id]) - len(before.rejections[id]) }
	if _, old := before.task(task.ID()); old {
		return since(task.ID())
	}
	return since(task.ID()) + since(task.Text("supersedes"))
}
