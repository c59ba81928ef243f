package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"git-ralph/internal/git"
)

// ErrOwnEdits says that a file beside the plan has changes that are not
// committed, which a commit of ours would take along.
var ErrOwnEdits = errors.New("has changes that are not committed")

// A SideFile is a change of a file that belongs to the plan without being it,
// such as .gitattributes.
type SideFile struct {
	Path     string // slash-separated, relative to the root
	Subject  string // of the commit, without "ralph: "
	NoCommit bool   // leave the change in the worktree's file

	// Edit returns the new text. It may run again when the branch moves
	// meanwhile.
	Edit func(text string, exists bool) string
}

// A SideResult tells what became of a SideFile.
type SideResult struct {
	Changed bool
	Commit  string // "" where none was made
	Reason  string // why not
}

// UpdateFile makes the change in a commit of its own, with nothing else in it. The
// modes of ralph.commit hold. After an error, such as ErrOwnEdits, everything is as
// it was.
func (s *Store) UpdateFile(ctx context.Context, f SideFile) (SideResult, error) {
	if s.repo.Bare() {
		return SideResult{}, ErrBare
	}
	release, err := s.lock(ctx)
	if err != nil {
		return SideResult{}, err
	}
	defer release()
	timeout, err := s.lockTimeout()
	if err != nil {
		return SideResult{}, err
	}
	side := *s
	side.path = f.Path
	for deadline := time.Now().Add(timeout); ; {
		t := &transaction{Store: &side, request: Request{NoCommit: f.NoCommit}}
		result, err := t.runFile(ctx, f, timeout)
		if !inTheWay(err) || time.Now().After(deadline) {
			return result, err
		}
	}
}

// runFile is one attempt.
func (t *transaction) runFile(ctx context.Context, f SideFile, timeout time.Duration) (SideResult, error) {
	var err error
	if t.tx, err = t.repo.Begin(ctx, f.Path, timeout); err != nil {
		return SideResult{}, err
	}
	defer t.tx.Close()
	if err := t.chooseMode(); err != nil {
		return SideResult{}, err
	}
	if t.found, err = t.cleanFile(); err != nil {
		return SideResult{}, err
	}
	text := f.Edit(string(t.found.data), t.found.exists)
	if text == string(t.found.data) {
		return SideResult{}, nil
	}
	commit, err := t.saveFile(ctx, []byte(text), subjectPrefix+f.Subject+"\n")
	return SideResult{Changed: err == nil, Commit: commit, Reason: t.reason}, err
}

// cleanFile reads the file, which must be the one of the last commit.
func (t *transaction) cleanFile() (file, error) {
	head, err := contentOf(t.tx.HeadContent())
	if err != nil {
		return file{}, err
	}
	found, err := contentOf(t.read())
	if err == nil && (t.tx.Index().State != git.IndexSame || !found.same(head)) {
		err = fmt.Errorf("%s %w", t.path, ErrOwnEdits)
	}
	return found, err
}

// saveFile writes the file and commits it, as the mode says.
func (t *transaction) saveFile(ctx context.Context, content []byte, text string) (commit string, err error) {
	if t.mode == commitAlone {
		if err := t.tx.Prepare(content, text); err != nil {
			return "", err
		}
	}
	if err := t.write(content); err != nil {
		return "", err
	}
	if commit, err = t.publish(ctx, content, text); err != nil {
		err = t.restore(content, err)
		t.repo.RefreshIndex(context.WithoutCancel(ctx))
		return "", err
	}
	return commit, nil
}
