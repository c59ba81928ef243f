package loop

import "git-ralph/internal/plan"

// A catalogue finds the records of one plan. Looking up each by itself would take the square of their number, several times
// an iteration.
type catalogue struct {
	tasks, issues []plan.Record
	taskAt        map[string]int
	issueAt       map[string]int
	rejections    map[string]int            // tombstones, by the task's id
	heirs         map[string]plan.EventName // what became of tasks that others say they took the place of
}

func catalogueOf(p *plan.Plan) *catalogue {
	c := &catalogue{
		tasks: p.Of(plan.KindTask), issues: p.Of(plan.KindIssue),
		rejections: map[string]int{}, heirs: map[string]plan.EventName{},
	}
	c.taskAt, c.issueAt = places(c.tasks), places(c.issues)
	for _, r := range p.Of(plan.KindReject) {
		c.rejections[r.ID()]++
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
