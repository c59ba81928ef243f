package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/plan"
	"git-ralph/internal/safefile"
)

// A Snapshot is a plan as it was read.
type Snapshot struct {
	Plan     *plan.Plan // of the lines that can be read
	Problems plan.Problems
	Exists   bool   // there is a file; without one the plan is empty
	Missing  bool   // the worktree's file is missing, and this is HEAD's plan
	File     string // how errors name it, such as "ralph/plan.jsonl" or "HEAD~2:ralph/plan.jsonl"
	file     file
}

// Valid returns the plan, or a *plan.InvalidError.
func (s Snapshot) Valid() (*plan.Plan, error) {
	if len(s.Problems) > 0 {
		return nil, &plan.InvalidError{File: s.File, Problems: s.Problems}
	}
	return s.Plan, nil
}

// Errors returns everything that makes the plan invalid. If lines could not be
// read, the others are not checked.
func (s Snapshot) Errors() plan.Problems {
	errs := s.Problems.Errors()
	if s.Problems.Readable() {
		errs = append(errs, plan.Check(s.Plan, false).Errors()...)
	}
	return errs
}

// snapshot decodes the content of a plan file.
func snapshot(name string, data []byte, exists bool) Snapshot {
	p, problems := plan.DecodeBytes(data)
	return Snapshot{Plan: p, Problems: problems, Exists: exists, File: name, file: file{data, exists}}
}

// View reads the worktree's plan. Where a sparse checkout leaves the file out,
// it is the one in the index; in a bare repository, and where the file is gone
// and the index still has it, the one at HEAD.
func (s *Store) View(ctx context.Context) (Snapshot, error) {
	if s.repo.Bare() {
		snap, err := s.At(ctx, "HEAD")
		if errors.Is(err, git.ErrBadRevision) {
			err = ErrEmptyBare
		}
		return snap, err
	}
	data, exists, err := s.read()
	if err == nil && !exists {
		data, exists, err = commit.SkippedFile(ctx, s.repo, s.path)
	}
	if err != nil {
		return Snapshot{}, err
	}
	if !exists {
		return s.viewMissing(ctx)
	}
	return snapshot(s.path, data, exists), nil
}

// ValidPlan returns the plan that View reads, or a *plan.InvalidError.
func (s *Store) ValidPlan(ctx context.Context) (*plan.Plan, error) {
	snap, err := s.View(ctx)
	if err != nil {
		return nil, err
	}
	return snap.Valid()
}

// viewMissing reads HEAD's plan for a missing file, and an empty plan if the index has none either: then it was removed on
// purpose.
func (s *Store) viewMissing(ctx context.Context) (Snapshot, error) {
	none := snapshot(s.path, nil, false)
	tracked, err := commit.Tracked(ctx, s.repo, s.path)
	if err != nil || !tracked {
		return none, err
	}
	head, err := s.At(ctx, "HEAD")
	if errors.Is(err, git.ErrBadRevision) || err == nil && !head.Exists {
		return none, nil
	}
	head.Missing = true
	return head, err
}

// At reads the plan of a commit. A commit without one has an empty plan.
func (s *Store) At(ctx context.Context, rev string) (Snapshot, error) {
	reader := s.repo.Reader(ctx)
	defer reader.Close()
	commit, err := reader.Resolve(rev)
	if err != nil {
		return Snapshot{}, err
	}
	blob, err := reader.File(commit, s.path)
	if err != nil && !errors.Is(err, git.ErrNotFound) {
		return Snapshot{}, err
	}
	if smudge := s.repo.Smudge(ctx, s.path); smudge != nil && err == nil {
		if blob.Data, err = smudge(blob.ID); err != nil {
			return Snapshot{}, err
		}
	}
	return snapshot(rev+":"+s.path, blob.Data, err == nil), nil
}

// Staged reads the plan as it is staged; in a hook, as it is about to be
// committed. Ours reports whether commands of ours wrote it so.
func (s *Store) Staged(ctx context.Context) (snap Snapshot, ours bool, err error) {
	data, exists, err := commit.StagedFile(ctx, s.repo, s.path)
	if err != nil {
		return Snapshot{}, false, err
	}
	return snapshot(s.path, data, exists), s.readPending().isOurs(file{data, exists}), nil
}

// StagedTrailers returns the trailers of what commands of ours did to HEAD's plan until it was as it is staged, none where somebody else
// has changed it since.
func (s *Store) StagedTrailers(ctx context.Context) []string {
	data, exists, err := commit.StagedFile(ctx, s.repo, s.path)
	if err != nil {
		return nil
	}
	head, err := s.At(ctx, "HEAD")
	if err != nil {
		return nil
	}
	return s.readPending().basedOn(baseOf(head.file)).upTo(file{data, exists}).trailers()
}

// Resolve returns the id of the commit that a revision names. The error is
// git.ErrBadRevision where it names none.
func (s *Store) Resolve(ctx context.Context, rev string) (string, error) {
	reader := s.repo.Reader(ctx)
	defer reader.Close()
	return reader.Resolve(rev)
}

// read returns the content of the plan's file in the worktree. It does not
// follow symbolic links: a plan must not show other files.
func (s *Store) read() (data []byte, exists bool, err error) {
	if err := safefile.Check(s.repo.Root(), s.path); err != nil {
		return nil, false, err
	}
	data, err = os.ReadFile(s.filePath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return data, err == nil, err
}

// filePath returns the absolute path of the plan's file.
func (s *Store) filePath() string {
	return filepath.Join(s.repo.Root(), filepath.FromSlash(s.path))
}

// HasFile reports whether the worktree has a file at the plan's path.
func (s *Store) HasFile() bool {
	_, err := os.Lstat(s.filePath())
	return err == nil
}
