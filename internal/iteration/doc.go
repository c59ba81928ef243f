// Package iteration starts an agent once and applies what it did, in any worktree:
//
//	State → stage → prompt → agent's output → report → checked steps → transaction → Outcome
//
// A Workspace is where the agent works, a Job is what it has to do. Workspace.Do renders the prompt (prompt.go), runs the
// agent (run_agent.go), applies its report in one transaction (settle.go, apply*.go), and compares the plan and git with
// their state before (outcome.go). The package keeps no state between calls: what the next iteration needs is in the
// Outcome. The plan and git decide what happened; where a Source takes the plan's place, that does (work.go). The rules are in docs/loop.md.
package iteration
