// Package store reads the plan of one worktree, and is the only way to change it.
//
// View reads the plan; Update runs one transaction: lock, load the worktree's
// file, apply a mutation, validate, write, commit. Either all of it happens or
// nothing does. Everything else that the user has changed, staged or left
// untracked stays as it is (docs/promises.md, "One mutation, one commit").
package store
