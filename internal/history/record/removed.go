package record

import "git-ralph/internal/plan"

// removed adds why a record left the plan.
func (c *comparison) removed(k key, r plan.Record) {
	if k.kind == plan.KindIssue {
		c.add(eventOf(plan.EventIssueDone, k, r, r.JSON(), ""))
		return
	}
	if k.kind == plan.KindItem {
		c.add(eventOf(plan.EventItemRemoved, k, r, r.JSON(), ""))
		return
	}
	name, successor := c.outcome(r)
	e := eventOf(name, k, r, r.JSON(), "")
	e.setAttempt(r)
	e.Successor = successor
	e.Inferred = c.trailers.ending(k.id) == "" && !c.replaced(k.id, successor)
	if name == plan.EventRejected {
		e.Left, e.Reason = true, c.reason(r)
	}
	c.addOnce(e)
}

// outcome returns how a task ended that left the plan, and which one took its place.
func (c *comparison) outcome(task plan.Record) (name plan.EventName, successor string) {
	if end := c.trailers.ending(task.ID()); end != "" {
		return end, ""
	}
	successor = c.successor(c.after, task.ID())
	departure := plan.Departure{
		Replanned:  c.after == nil || c.moved || c.newSpec,
		Superseded: successor != "" && c.isRejected(task.ID()),
		Rejected:   c.isAttemptRejected(task),
	}
	if name = departure.Event(task); name == plan.EventSuperseded {
		return plan.EventRejected, successor
	}
	return name, ""
}

// replaced reports whether it is recorded that a successor took the place of a task that left: it came now, or the message
// says so. Of one that was there before, the task may have come back since, and have ended in another way.
func (c *comparison) replaced(id, successor string) bool {
	return successor != "" && (c.successor(c.before, id) == "" || c.trailers.superseded(id))
}

// successor returns the id of the task that names another in "supersedes".
func (c *comparison) successor(v *Version, id string) string {
	for _, n := range c.lines.linesOf(v) {
		if l := &c.lines.lines[n]; l.supersedes == id {
			return l.ID()
		}
	}
	return ""
}

// reason returns why a task that leaves was rejected.
func (c *comparison) reason(task plan.Record) (reason string) {
	for tombstone := range c.rejects(task.ID()) {
		if plan.SameAttempt(tombstone.Attempt(), task.Attempt()) {
			reason = tombstone.Text("reason")
		}
	}
	return reason
}

// isRejected reports whether there is a tombstone of a task.
func (c *comparison) isRejected(id string) bool {
	for range c.rejects(id) {
		return true
	}
	return false
}

// isAttemptRejected reports whether a tombstone names the present attempt at a task.
func (c *comparison) isAttemptRejected(task plan.Record) bool {
	for tombstone := range c.rejects(task.ID()) {
		if plan.Rejected(task.Attempt(), tombstone) {
			return true
		}
	}
	return false
}
