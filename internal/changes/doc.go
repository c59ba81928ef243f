// Package changes keeps apart whose the uncommitted changes of a worktree are: the user's, those that an earlier run of
// agents left, and those of the run under way. The user's are never committed by a run.
//
// Each run records which changes were the user's when it began, and what was uncommitted when it ended in order: so the
// next one can distinguish what agents left from what the user did since (docs/loop.md, "What a stopped run left").
package changes
