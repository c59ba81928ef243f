// Package land makes finished branches part of the target branch: a queue that merges, checks and publishes, without an agent.
//
// Branches are merged in memory, one onto the other, into one commit (stack.go); a branch with a conflict is left out. The claims
// of the tasks that each branch makes done are verified (claims.go), the commit is checked where a command for it is set
// (check.go), and the target and all claims change in one transaction (publish.go). Whoever loses a race merges anew.
package land
