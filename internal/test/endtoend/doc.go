// Package endtoend tests the built program on real repositories: that a
// mutation touches the plan only, in every kind of worktree; that nothing is
// lost among many processes; and what a crash leaves behind. It holds tests
// alone.
package endtoend
