package journal

import (
	"errors"
	"io/fs"
	"slices"

	"git-ralph/internal/jsonl"
)

// changes holds which changes in the worktree a run found when it began and, if it ended normally, left.
func (j Journal) changes(run string) record { return record(j.path(run, "changes.json")) }

// WriteChanges records the changes. The next run takes what cannot be recorded for the user's.
func (r *Run) WriteChanges(what jsonl.Object) { r.journal.changes(r.Name).write(what) }

// ChangesBefore returns what the run before this one recorded, as LastChanges does.
func (r *Run) ChangesBefore() jsonl.Object { return r.changes }

// LastChanges returns the record of the last run that wrote one: a run that was killed earlier has changed nothing. It is
// empty if there is none, or if it cannot be read.
func (j Journal) LastChanges() jsonl.Object {
	for _, run := range slices.Backward(j.Runs()) {
		what, err := j.changes(run).read()
		if err == nil {
			return what
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return jsonl.Object{}
}
