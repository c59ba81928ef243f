package store

import (
	"fmt"

	"git-ralph/internal/git/commit"
)

// FileMissing returns the *MissingError of the plan's file.
func (s *Store) FileMissing() error { return &MissingError{Path: s.displayPath()} }

// A MissingError says that the plan's file is gone from the worktree.
type MissingError struct{ Path string }

func (e *MissingError) Error() string {
	return e.Path + " is missing from the worktree, though HEAD has it"
}

// Hint says how to bring it back, and how to delete it for good.
func (e *MissingError) Hint() string {
	return fmt.Sprintf("`git restore %s` brings it back\n`git rm %[1]s` deletes it permanently", e.Path)
}

// guardMissing refuses to change a plan whose file is gone, though HEAD and the
// index have it. Where the index has not, it was deleted on purpose, unless a
// checkout of a branch without a plan is under way.
func (t *transaction) guardMissing() error {
	deleted := t.tx.Index().State == commit.IndexAbsent && !t.isChanging()
	if t.found.exists || !t.head.exists || deleted || t.request.StartEmpty || t.request.Repair != nil {
		return nil
	}
	return t.FileMissing()
}
