package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/safefile"
)

// Errors of UpdateFile about the file as it was found; what they wrap them in names it.
var (
	// ErrOwnEdits says that a file other than the plan has uncommitted changes,
	// which a commit of ours would include.
	ErrOwnEdits = errors.New("has uncommitted changes")
	// ErrStagedApart says that a file is staged with content that is neither HEAD's nor its own.
	ErrStagedApart = errors.New("is staged with other content than the file has: commit that, or take it out of the index, first")
	// ErrFileUnmerged says that a merge left a file with a conflict.
	ErrFileUnmerged = errors.New("has an unresolved merge conflict")
)

// A FileUpdate is a change of a file other than the plan, such as
// .gitattributes.
type FileUpdate struct {
	Path     string        // slash-separated, relative to the root
	Subject  func() string // of the commit, without "ralph: "; called after Edit
	NoCommit bool          // leave the change in the worktree's file
	DryRun   bool          // change nothing
	OwnEdits bool          // the user's uncommitted changes of the file go into the commit too; else they are an error

	// Edit returns the new text. It may run again when the branch moves
	// meanwhile. Its error ends the update.
	Edit func(text string, exists bool) (string, error)
}

// A FileUpdateResult is the outcome of a FileUpdate.
type FileUpdateResult struct {
	Changed  bool
	Commit   string // "" where none was made
	Reason   string // why not
	Branch   string // that it was made on; "" on a detached HEAD
	OwnEdits bool   // the user's own changes of the file are in it
}

// UpdateFile makes the change in a commit of its own, or as ralph.commit says. After an error, such as ErrOwnEdits,
// everything is as it was.
func (s *Store) UpdateFile(ctx context.Context, f FileUpdate) (FileUpdateResult, error) {
	if s.repo.Bare() {
		return FileUpdateResult{}, ErrBare
	}
	release, err := s.lock(ctx)
	if err != nil {
		return FileUpdateResult{}, err
	}
	defer release()
	timeout, err := s.lockTimeout()
	if err != nil {
		return FileUpdateResult{}, err
	}
	side := *s
	side.path = f.Path
	for deadline := time.Now().Add(timeout); ; {
		t := &transaction{Store: &side, request: Request{NoCommit: f.NoCommit}}
		result, err := t.runFile(ctx, f, timeout)
		if !isContention(err) || time.Now().After(deadline) {
			return result, err
		}
	}
}

// runFile is one attempt.
func (t *transaction) runFile(ctx context.Context, f FileUpdate, timeout time.Duration) (FileUpdateResult, error) {
	var err error
	if t.tx, err = commit.Begin(ctx, t.repo, f.Path, timeout); err != nil {
		return FileUpdateResult{}, err
	}
	defer t.tx.Close()
	if err := t.chooseMode(); err != nil {
		return FileUpdateResult{}, err
	}
	if err := t.loadFile(ctx, f.OwnEdits); err != nil {
		return FileUpdateResult{}, err
	}
	text, err := f.Edit(string(t.found.data), t.found.exists)
	if err != nil || text == string(t.found.data) && t.found.exists {
		return FileUpdateResult{}, err
	}
	if err := safefile.CheckWritable(t.repo.Root(), f.Path); err != nil {
		return FileUpdateResult{}, err
	}
	result := FileUpdateResult{Changed: true, Branch: t.tx.Branch(), OwnEdits: t.ownEdits}
	if f.DryRun {
		result.Reason = "dry run"
		return result, nil
	}
	result.Commit, err = t.saveFile(ctx, []byte(text), message{subject: f.Subject()}.title()+"\n")
	result.Reason = t.reason
	return result, err
}

// loadFile reads the file. It must be the one of the last commit, or may have changes of the user's own.
func (t *transaction) loadFile(ctx context.Context, mayHaveEdits bool) error {
	var err error
	if t.head, err = newFile(t.tx.HeadContent()); err != nil {
		return err
	}
	if t.staged, err = newFile(t.tx.IndexContent()); err != nil {
		return err
	}
	if t.found, err = newFile(t.read()); err != nil {
		return err
	}
	state := t.tx.Index().State
	t.ownEdits = !t.found.same(t.head)
	switch {
	case state == commit.IndexUnmerged:
		return fmt.Errorf("%s %w", t.path, ErrFileUnmerged)
	case !mayHaveEdits && (state != commit.IndexSame || t.ownEdits):
		return fmt.Errorf("%s %w", t.path, ErrOwnEdits)
	case state != commit.IndexSame && !t.found.same(t.staged) && t.operation == "":
		return fmt.Errorf("%s %w", t.path, ErrStagedApart)
	case t.head.exists || t.staged.exists:
		return nil
	}
	ignored, err := git.IsIgnored(ctx, t.repo, t.path)
	if ignored {
		t.mode, t.reason = writeOnly, "git ignores the file"
	}
	return err
}

// saveFile writes the file and commits it, as the mode says.
func (t *transaction) saveFile(ctx context.Context, content []byte, text string) (id string, err error) {
	if t.mode == commitAlone {
		err := t.tx.Prepare(content, text)
		if errors.Is(err, commit.ErrNothingToCommit) { // it undid the user's own changes
			t.mode, t.reason, err = stageOnly, "nothing to commit", nil
		}
		if err != nil {
			return "", err
		}
	}
	return t.writeAndPublish(ctx, content, text)
}
