package store

import (
	"context"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/plan"
)

// Update runs one transaction. The errors are those of this package, of the
// mutation, *plan.InvalidError, and what git says.
func (s *Store) Update(ctx context.Context, r Request) (Result, error) {
	if s.repo.Bare() {
		return Result{}, ErrBare
	}
	if r.DryRun {
		return s.runWithRetries(ctx, r)
	}
	release, err := s.lock(ctx)
	if err != nil {
		return Result{}, err
	}
	defer release()
	s.recover(ctx) //nolint:errcheck // the mutation itself commits it, or reports the error
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	result, err := s.runWithRetries(ctx, r)
	if err == nil && len(result.workplans) > 0 {
		s.opts.Workplans.Saved(context.WithoutCancel(ctx), s.repo, result.Branch, result.workplans)
	}
	return result, err
}

// known returns the ids of the plan's history.
func (s *Store) known() []string {
	if s.opts.Known == nil {
		return nil
	}
	return s.opts.Known(s)
}

func (s *Store) inputs(head string) Inputs {
	return Inputs{Stamp: plan.Stamp{Now: s.opts.Now(), Random: s.opts.Random, Known: s.known}, Head: head}
}

// CommitFiles commits files (slash-separated, from the root) as they are, and nothing else, through git commit and the
// user's hooks.
func (s *Store) CommitFiles(ctx context.Context, message string, files ...string) (id string, err error) {
	release, err := s.lock(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	return s.commitThroughGit(ctx, message, files...)
}

// commitThroughGit is CommitFiles where the lock is held.
func (s *Store) commitThroughGit(ctx context.Context, message string, files ...string) (id string, err error) {
	timeout, err := s.lockTimeout()
	if err != nil {
		return "", err
	}
	return commit.ThroughGit(ctx, s.repo, message, commit.Options{Wait: timeout, Err: s.opts.Err}, files...)
}
