package store

import (
	"git-ralph/internal/plan"
)

// checkFaults refuses a plan with a fault that HEAD's plan does not have: the
// mutation, or the user's edits that are committed with it, introduced it. In
// the middle of a merge or the like, faults that were in the file before are
// accepted too.
func (t *transaction) checkFaults() error {
	now := snapshot(t.path, t.content, true)
	if !now.Problems.Readable() {
		return &plan.InvalidError{File: t.path, Problems: now.Problems}
	}
	before := t.head
	if t.operation != "" || !before.exists {
		before = t.before // these may be the other side's; a plan that was never committed may have its own
	}
	if fresh := plan.NewFaults(now.Plan, before.data); len(fresh) > 0 {
		return &plan.InvalidError{File: t.path, Problems: fresh}
	}
	return nil
}
