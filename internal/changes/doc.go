// Package changes determines who made the uncommitted changes of a worktree: the user, an earlier run, or the current run. A
// run never commits the user's changes.
//
// Each run records which changes were the user's when it began and, unless it was killed, what was uncommitted when it ended.
// From that the next run can distinguish what agents left from what the user changed since (docs/loop.md, "What a stopped run
// left").
package changes
