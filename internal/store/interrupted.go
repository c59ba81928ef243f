package store

import (
	"context"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/plan"
)

// Interrupted reports whether a mutation was killed after it wrote the plan and
// before it committed it, and the file has not changed since.
func (s *Store) Interrupted() bool {
	_, interrupted := s.interrupted()
	return interrupted
}

func (s *Store) interrupted() (pendingWrite, bool) {
	n := s.readPending()
	if s.repo.Bare() || len(n) == 0 || !n[len(n)-1].commit {
		return pendingWrite{}, false
	}
	last := n[len(n)-1]
	data, exists, err := s.read()
	return last, err == nil && exists && last.hash == hashOf(data)
}

// Recover makes the commit that a killed mutation was about to make, with its
// events. If there is none, it does nothing. Every mutation does so before its
// own change.
func (s *Store) Recover(ctx context.Context) (Result, error) {
	if !s.Interrupted() {
		return Result{}, nil
	}
	release, err := s.lock(ctx)
	if err != nil {
		return Result{}, err
	}
	defer release()
	return s.recover(ctx)
}

// recover is Recover where the lock is held.
func (s *Store) recover(ctx context.Context) (Result, error) {
	last, interrupted := s.interrupted()
	if !interrupted {
		return Result{}, nil
	}
	return s.runWithRetries(ctx, Request{recovers: true, Subject: last.subject, Do: unchanged})
}

// RemoveLeftLock removes the lock of the index that a mutation left which was
// killed together with its guard. Until then git's own commands fail. Every
// mutation does so too.
func (s *Store) RemoveLeftLock(ctx context.Context) error {
	if s.repo.Bare() || !commit.HasLeftLock(s.repo) {
		return nil
	}
	timeout, err := s.lockTimeout()
	if err != nil {
		return err
	}
	release, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	return commit.RemoveLeftLock(ctx, s.repo, s.PlanPath(), timeout)
}

// unchanged is the mutation that changes nothing.
func unchanged(*plan.Plan, Inputs) (plan.Change, error) { return plan.Change{}, nil }

// commitsInterrupted reports whether the request is to commit what a killed
// mutation left.
func (t *transaction) commitsInterrupted() bool {
	if !t.request.recovers {
		return false
	}
	if t.found.same(t.head) { // it was killed after its commit
		t.removePending()
		return false
	}
	return !t.ownEdits && (t.mode.isOurs() || t.mode == commitThroughGit)
}
