package journal

import (
	"os"
	"strings"

	"git-ralph/internal/jsonl"
)

// changesFile holds which changes in the worktree a run found when it began and, when it ended in order, left.
const changesFile = "changes.json"

// WriteChanges notes them. What cannot be noted is taken for the user's by the next run.
func (r *Run) WriteChanges(what jsonl.Object) {
	path := r.journal.path(r.Name, changesFile)
	if os.WriteFile(path+".tmp", []byte(what.Text()+"\n"), private) == nil {
		os.Rename(path+".tmp", path) //nolint:errcheck // see above
	}
}

// ChangesBefore gives what the run before this one noted.
func (r *Run) ChangesBefore() (what jsonl.Object, found bool) { return r.changes, r.noted }

// readChanges reads the note of the last run so far.
func (r *Run) readChanges() {
	last, err := r.journal.Last()
	if err != nil {
		return
	}
	data, err := os.ReadFile(r.journal.path(last, changesFile))
	if err != nil {
		return
	}
	r.changes, err = jsonl.ParseObject(strings.TrimSpace(string(data)))
	r.noted = err == nil
}
