// Package history reads a repository's commits and folds them into the lives
// of tasks.
//
// The rules of the fold are in package fold, which does no I/O; this package
// finds where a plan lies and lay, hands the fold what it needs, and reads no
// more than that: versions of the plan that are new, messages of commits that
// changed it.
package history
