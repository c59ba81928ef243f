package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"git-ralph/internal/git/commit"
)

// ErrOwnEdits says that a file other than the plan has uncommitted changes,
// which a commit of ours would include.
var ErrOwnEdits = errors.New("has uncommitted changes")

// A FileUpdate is a change of a file other than the plan, such as
// .gitattributes.
type FileUpdate struct {
	Path     string // slash-separated, relative to the root
	Subject  string // of the commit, without "ralph: "
	NoCommit bool   // leave the change in the worktree's file

	// Edit returns the new text. It may run again when the branch moves
	// meanwhile.
	Edit func(text string, exists bool) string
}

// A FileUpdateResult is the outcome of a FileUpdate.
type FileUpdateResult struct {
	Changed bool
	Commit  string // "" where none was made
	Reason  string // why not
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
	if t.found, err = t.cleanFile(); err != nil {
		return FileUpdateResult{}, err
	}
	text := f.Edit(string(t.found.data), t.found.exists)
	if text == string(t.found.data) {
		return FileUpdateResult{}, nil
	}
	id, err := t.saveFile(ctx, []byte(text), subjectPrefix+f.Subject+"\n")
	return FileUpdateResult{Changed: err == nil, Commit: id, Reason: t.reason}, err
}

// cleanFile reads the file, which must be the one of the last commit.
func (t *transaction) cleanFile() (file, error) {
	head, err := newFile(t.tx.HeadContent())
	if err != nil {
		return file{}, err
	}
	found, err := newFile(t.read())
	if err == nil && (t.tx.Index().State != commit.IndexSame || !found.same(head)) {
		err = fmt.Errorf("%s %w", t.path, ErrOwnEdits)
	}
	return found, err
}

// saveFile writes the file and commits it, as the mode says.
func (t *transaction) saveFile(ctx context.Context, content []byte, text string) (id string, err error) {
	if t.mode == commitAlone {
		if err := t.tx.Prepare(content, text); err != nil {
			return "", err
		}
	}
	return t.writeAndPublish(ctx, content, text)
}
