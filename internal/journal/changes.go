package journal

import (
	"os"
	"slices"
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

// LastChanges returns what the last run noted that came to it: one that was killed before has changed nothing.
func (j Journal) LastChanges() (what jsonl.Object, found bool) {
	for _, run := range slices.Backward(j.Runs()) {
		data, err := os.ReadFile(j.path(run, changesFile))
		if err == nil {
			what, err = jsonl.ParseObject(strings.TrimSpace(string(data)))
			return what, err == nil
		}
	}
	return jsonl.Object{}, false
}
