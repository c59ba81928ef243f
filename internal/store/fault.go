package store

import (
	"git-ralph/internal/plan"
)

// checkFaults refuses a plan with a fault that neither HEAD's plan nor, where
// git brought it there, the file had: the mutation, or the user's edits that go
// along, introduced it. Faults that were there before stop nobody.
func (t *transaction) checkFaults() error {
	now := snapshot(t.path, t.content, true)
	after := now.Errors()
	if len(after) == 0 {
		return nil
	}
	if !now.Problems.Readable() {
		return &plan.InvalidError{File: t.path, Problems: after}
	}
	before := t.head
	if t.operation != "" || !before.exists {
		before = t.before // a merge brings the other side's; a plan that was never committed has its own
	}
	known := map[plan.Fault]int{}
	for _, p := range snapshot(t.path, before.data, before.exists).Errors() {
		known[p.Fault()]++
	}
	var fresh plan.Problems
	for _, p := range after {
		if known[p.Fault()]--; known[p.Fault()] < 0 {
			fresh = append(fresh, p)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return &plan.InvalidError{File: t.path, Problems: fresh}
}
