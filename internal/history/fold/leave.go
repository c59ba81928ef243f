package fold

import "git-ralph/internal/plan"

// left tells why a record left the plan.
func (c *comparison) left(k key, r plan.Record) {
	if k.kind == plan.KindIssue {
		t := about(plan.EventIssueDone, k, r)
		t.Before = r.JSON()
		c.tell(t)
		return
	}
	name, successor := c.outcome(r)
	t := about(name, k, r)
	t.of(r)
	t.Successor, t.Before = successor, r.JSON()
	t.Inferred = c.said.end(k.id) == "" && !c.replaced(k.id, successor)
	if name == plan.EventRejected {
		t.Left, t.Reason = true, c.reason(r)
	}
	c.once(t)
}

// outcome says how it ended with a task that left the plan, and which one took
// its place.
func (c *comparison) outcome(task plan.Record) (name plan.EventName, successor string) {
	switch said := c.said.end(task.ID()); {
	case said != "":
		return said, ""
	case c.after == nil || c.moved || c.respecced():
		return plan.EventCancelled, ""
	}
	if successor := c.successor(c.after, task.ID()); successor != "" && c.hasTombstone(task.ID()) {
		return plan.EventRejected, successor
	}
	switch {
	case task.Text("done_at") == "":
		return plan.EventCancelled, ""
	case c.buried(task):
		return plan.EventRejected, ""
	}
	return plan.EventAccepted, ""
}

// replaced tells whether it is recorded that a successor took the place of a task that left: it came now, or the message says
// so. Of one that was there before, the task may have come back since, and have ended in another way.
func (c *comparison) replaced(id, successor string) bool {
	return successor != "" && (c.successor(c.before, id) == "" || c.said.superseded(id))
}

// successor returns the id of the task that names another in "supersedes".
func (c *comparison) successor(v *Version, id string) string {
	for _, n := range c.book.linesOf(v) {
		if l := &c.book.lines[n]; l.supersedes == id {
			return l.ID()
		}
	}
	return ""
}

func (c *comparison) hasTombstone(id string) bool {
	_, before := c.book.find(c.before, plan.KindReject, id)
	_, after := c.book.find(c.after, plan.KindReject, id)
	return before || after
}

// reason returns why a task that leaves was rejected.
func (c *comparison) reason(task plan.Record) string {
	reason := ""
	for _, v := range []*Version{c.before, c.after} {
		for stone := range c.book.all(v, plan.KindReject, task.ID()) {
			if sameAttempt(stone, task) {
				reason = stone.Text("reason")
			}
		}
	}
	return reason
}
