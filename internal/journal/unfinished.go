package journal

import (
	"path/filepath"

	"git-ralph/internal/jsonl"
)

// commit holds what is about to be committed, while it is: a crash in between must not separate the work from the plan
// that calls it done.
func (j Journal) commit() record { return record(filepath.Join(j.dir, "commit.json")) }

// push holds from where a rebase began, while a run fetches, rebases and pushes: one that was broken off shows an old
// plan.
func (j Journal) push() record { return record(filepath.Join(j.dir, "push.json")) }

// CommitBegan records what is about to be committed.
func (r *Run) CommitBegan(what jsonl.Object) { r.journal.commit().write(what) }

// CommitEnded records that it was committed, or will not be.
func (r *Run) CommitEnded() { r.journal.ForgetCommit() }

// UnfinishedCommit returns what a killed run was about to commit.
func (j Journal) UnfinishedCommit() (what jsonl.Object, found bool) {
	what, err := j.commit().read()
	return what, err == nil
}

// ForgetCommit removes the record.
func (j Journal) ForgetCommit() { j.commit().remove() }

// PushBegan records that HEAD is about to be put on top of what others pushed.
func (r *Run) PushBegan(head string) {
	r.journal.push().write(jsonl.Build([]jsonl.Member{{Name: "head", Value: jsonl.Quote(head)}}))
}

// PushEnded records that it was pushed, or will not be.
func (r *Run) PushEnded() { r.journal.ForgetPush() }

// UnfinishedPush returns where HEAD was when a killed run began to push.
func (j Journal) UnfinishedPush() (head string, found bool) {
	what, err := j.push().read()
	return Text(what, "head"), err == nil
}

// ForgetPush removes the record.
func (j Journal) ForgetPush() { j.push().remove() }
