package journal

import (
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/jsonl"
)

// intentFile holds what is about to be committed, while it is: a crash in between must not part the work from the plan
// that calls it done.
const intentFile = "commit.json"

// pushFile holds from where a rebase began, while a run fetches, rebases and pushes: one that was broken off shows a plan
// of long ago.
const pushFile = "push.json"

// Intend notes what is about to be committed.
func (r *Run) Intend(what jsonl.Object) {
	os.WriteFile(r.journal.intentPath(), []byte(what.Text()+"\n"), private) //nolint:errcheck // it serves a crash only
}

// Committed says that it was, or will not be.
func (r *Run) Committed() { r.journal.DropIntent() }

// Intent gives what a run that was killed was about to commit.
func (j Journal) Intent() (what jsonl.Object, found bool) {
	data, err := os.ReadFile(j.intentPath())
	if err != nil {
		return jsonl.Object{}, false
	}
	what, err = jsonl.ParseObject(strings.TrimSpace(string(data)))
	return what, err == nil
}

// DropIntent forgets it.
func (j Journal) DropIntent() { os.Remove(j.intentPath()) } //nolint:errcheck // there may be none

func (j Journal) intentPath() string { return filepath.Join(j.dir, intentFile) }

// Pushing notes that HEAD is about to be put on top of what others pushed.
func (r *Run) Pushing(head string) {
	note := jsonl.Build([]jsonl.Member{{Name: "head", Value: jsonl.Quote(head)}})
	os.WriteFile(r.journal.pushPath(), []byte(note.Text()+"\n"), private) //nolint:errcheck // it serves a crash only
}

// Pushed says that it was, or will not be.
func (r *Run) Pushed() { r.journal.DropPush() }

// Push gives where HEAD was when a run that was killed began to push.
func (j Journal) Push() (head string, found bool) {
	data, err := os.ReadFile(j.pushPath())
	if err != nil {
		return "", false
	}
	note, err := jsonl.ParseObject(strings.TrimSpace(string(data)))
	return Text(note, "head"), err == nil
}

// DropPush forgets it.
func (j Journal) DropPush() { os.Remove(j.pushPath()) } //nolint:errcheck // there may be none

func (j Journal) pushPath() string { return filepath.Join(j.dir, pushFile) }
