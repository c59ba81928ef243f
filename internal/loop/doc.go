// Package loop is a run: iterations, one after the other, until a goal or a limit is reached. Before each it reads the
// plan and decides whether there is another (goals.go, limits.go); after each it counts, and decides whether the run gets
// on (streak.go), waits for a limit of the agent's service (service_limit.go), and pushes (push.go). What an iteration is
// stands in package iteration.
//
// All that a run needs to go on is in the plan and in git: one that was broken off at any point goes on when the next one
// is started, which first recovers it (previous_run.go). The rules are in docs/loop.md.
package loop
