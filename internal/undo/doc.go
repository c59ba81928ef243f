// Package undo says which change of the plan `git ralph undo` takes back, and what the plan is without it.
//
// Both are read from commits alone. A commit that takes a change back has a line in its message that names it, `Ralph-Undo: …`, and
// one that makes it again `Ralph-Redo: …`; the newest of them decides. Taking back is a merge by the rules of package merge: the
// base is the plan after the change, one side the present plan, the other side the plan before the change.
//
// The rules for users are in docs/undo.md.
package undo
