package journal

import (
	"path/filepath"

	"git-ralph/internal/jsonl"
)

// commit is the record of a commit that is about to be made: a crash before it must not separate the work from the plan that
// calls it done.
func (j Journal) commit() record { return record(filepath.Join(j.dir, "commit.json")) }

// push is the record of where HEAD was, while a run fetches, rebases and pushes: in the middle of a rebase the plan is an
// old one.
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

// PushBegan records that HEAD is about to be rebased onto what others pushed.
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
