package journal

import (
	"errors"
	"io/fs"
	"slices"

	"git-ralph/internal/jsonl"
)

// changes holds which changes in the worktree a run found when it began and, when it ended in order, left.
func (j Journal) changes(run string) record { return record(j.path(run, "changes.json")) }

// WriteChanges records them. What cannot be recorded is taken for the user's by the next run.
func (r *Run) WriteChanges(what jsonl.Object) { r.journal.changes(r.Name).write(what) }

// ChangesBefore returns what the run before this one recorded, as LastChanges does.
func (r *Run) ChangesBefore() jsonl.Object { return r.changes }

// LastChanges returns what the last run recorded that came to it: one that was killed before has changed nothing. It is
// empty where there is none, or a broken one.
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
