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

// LastChanges gives what the last run noted.
func (j Journal) LastChanges() (what jsonl.Object, found bool) {
	last, err := j.Last()
	if err != nil {
		return jsonl.Object{}, false
	}
	data, err := os.ReadFile(j.path(last, changesFile))
	if err != nil {
		return jsonl.Object{}, false
	}
	what, err = jsonl.ParseObject(strings.TrimSpace(string(data)))
	return what, err == nil
}
