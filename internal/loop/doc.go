// Package loop runs agents: one iteration after the other, until a goal or a limit is reached. Before each iteration it reads
// the plan, and decides whether the run ends (run_end.go, limits.go) and what comes next (target.go). After each it pushes
// (push.go), waits out a rate limit of the agent's service (service_limit.go), and ends a run that makes no progress (streak.go).
// Where Goals.Work takes the plan's place, the same is done with that. Package iteration runs a single iteration.
//
// The plan and git hold all state of a run. A run that was interrupted at any point continues with the next one, which first
// recovers it (previous_run.go). The rules are in docs/loop.md.
package loop
