package loop

import (
	"fmt"

	"git-ralph/internal/agent"
)

// While git is in the middle of a merge, a rebase or the like, nothing is committed with the plan, and taking it back takes
// everything back that was done meanwhile. So an agent that leaves one has failed, and no run ends as complete within one.

// leftOperation reports whether the agent left an operation in progress that it began, or that one before it left. The next
// agent works on the same: the plan is now that of the operation, which may be of long ago.
func (it *iteration) leftOperation() bool {
	now := it.Store.Repo().Unfinished()
	if now == "" || it.stuck == nil && (it.outcome.End == agent.Interrupted || now == it.before.operation) {
		it.stuck = nil
		return false
	}
	stuck := it.before
	stuck.operation = now
	it.stuck = &stuck
	return true
}

// aboutOperation is what an agent is told that works in the middle of an operation.
func aboutOperation(operation string) string {
	if operation == "" {
		return ""
	}
	return fmt.Sprintf("## Git is in the middle of a %[1]s\n\nA %[1]s was left unfinished. Until it ends nothing can be committed with "+
		"the plan, and what you do may be lost with it. Finish it or take it back before anything else; `git status` says how.\n", operation)
}

// withOperation turns an end that looks like success into none while an operation is in progress.
func withOperation(s state, why Reason, text string) (Reason, string) {
	if s.operation != "" && (why == Complete || why == Reached || why == Nothing) {
		return NoProgress, "git is in the middle of a " + s.operation + ": what was done may be lost with it"
	}
	return why, text
}
