// Package viewio reads what views show: the plan and claims of a worktree first, since a screen can be painted with these, then runs,
// history, and what has landed. It changes nothing, and uses no network.
package viewio
