package plan

import "strings"

// An Attempt identifies one time that a task was done. The zero Attempt is none: a task that is not done is at none, and the
// tombstone of a task that was superseded before it was done names none.
type Attempt struct {
	ID     string // the record's "attempt"; older records have none
	DoneAt string // the record's "done_at": a commit, which may be abbreviated
}

// Attempt returns the attempt that a task is at, or that a tombstone names.
func (r Record) Attempt() Attempt { return Attempt{r.Text("attempt"), r.Text("done_at")} }

// SameAttempt reports whether two attempts at a task are one: by ID where both have one, else by DoneAt, of which one may
// abbreviate the other.
func SameAttempt(a, b Attempt) bool {
	switch {
	case a.ID != "" && b.ID != "":
		return a.ID == b.ID
	case a.DoneAt == "" || b.DoneAt == "":
		return a.DoneAt == b.DoneAt
	}
	return strings.HasPrefix(a.DoneAt, b.DoneAt) || strings.HasPrefix(b.DoneAt, a.DoneAt)
}

// Rejected reports whether a tombstone of a task rejects an attempt at it.
func Rejected(a Attempt, tombstone Record) bool {
	named := tombstone.Attempt()
	return a != Attempt{} && named != Attempt{} && SameAttempt(a, named)
}
