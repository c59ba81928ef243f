// Package iteration is one start of an agent and what came of it, in any worktree:
//
//	State → stage → prompt → agent's output → report → checked steps → transaction → Outcome
//
// A Place is where it works, a Job what it is to do. Place.Do renders the prompt (prompt.go), runs the agent (run.go),
// applies what it reported in one transaction (settle.go, apply*.go), and compares the plan and git with what they were
// (outcome.go). What one iteration leaves for the next is in its Outcome: nothing here is kept after a call. The plan and git
// decide what happened; the rules are in docs/loop.md.
package iteration
