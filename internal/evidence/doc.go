// Package evidence runs the checks of tasks, the command lines that prove that a task is done (docs/teams.md, "Evidence").
//
// A check comes from the plan, and so perhaps from a stranger. Rule says which of them may be run: those that git's configuration
// allows, and those that a person accepted in this clone, word by word. Runner runs them on a commit, in a worktree that holds
// this commit and nothing else. A Receipt is what a commit's message says of a check that was run: Find reads receipts,
// Runner.Replay checks and repeats them.
package evidence
