// Package history reads a repository's commits and folds them into the lives of tasks.
//
// The rules of the fold are in package fold, which does no I/O. This package finds the present and former paths of the plan, and
// reads only what the fold needs: new versions of the plan, and the messages of commits that changed it.
package history
