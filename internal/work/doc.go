// Package work is a worker: a process that claims one task after the other and lets an agent do each in a worktree of its own.
//
// One round (round.go): claim a task (take.go), prepare the worktree on a branch of the task (place.go, branch.go), run iterations
// there (package loop) while the claim is renewed (renew.go), and set the claim to landing. Nothing that an agent left uncommitted
// is lost: it is committed before the worktree is used again (keep.go). The user's own worktree is never touched.
//
// The rules are in docs/teams.md, "Workers".
package work
