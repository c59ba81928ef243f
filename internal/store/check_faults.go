package store

import (
	"git-ralph/internal/plan"
)

// checkFaults refuses a plan with a fault that neither HEAD's plan nor, where
// git brought it there, the file had: the mutation, or the user's edits that go
// along, introduced it. Faults that were there before stop nobody.
func (t *transaction) checkFaults() error {
	now := snapshot(t.path, t.content, true)
	if !now.Problems.Readable() {
		return &plan.InvalidError{File: t.path, Problems: now.Problems}
	}
	before := t.head
	if t.operation != "" || !before.exists {
		before = t.before // a merge brings the other side's; a plan that was never committed has its own
	}
	if fresh := plan.NewFaults(now.Plan, before.data); len(fresh) > 0 {
		return &plan.InvalidError{File: t.path, Problems: fresh}
	}
	return nil
}
