package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/git/config"
	"git-ralph/internal/safefile"
)

// DefaultLockTimeout is how long a mutation waits for other processes.
const DefaultLockTimeout = 10 * time.Second

// queueTime is the wait for the lock from which mutations count as queued. The
// user's own git commands do not queue: they fail at once when the index is
// locked, so queued mutations leave gaps of this length for them.
const queueTime = 3 * time.Millisecond

// lock makes this process the worktree's only writer.
func (s *Store) lock(ctx context.Context) (release func(), err error) {
	timeout, err := s.lockTimeout()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if slices.Contains(s.opts.Environ, commit.CommittingVariable+"=1") {
		return nil, fmt.Errorf("%w: this is a hook of its commit", ErrLocked)
	}
	path := filepath.Join(s.repo.GitDir(), "ralph", "lock")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	asked := time.Now()
	held, err := safefile.Lock(ctx, path, "git ralph")
	if held, ok := errors.AsType[*safefile.HeldError](err); ok {
		return nil, fmt.Errorf("%w: %w", ErrLocked, held)
	}
	if err != nil {
		return nil, err
	}
	if time.Since(asked) > queueTime {
		time.Sleep(queueTime) // others are waiting too: a gap for the user's own commands
	}
	safefile.RemoveTemps(s.repo.GitDir(), pendingFile) // of a writer that was killed
	return func() { _ = held.Release() }, nil
}

// AwaitIndex waits, as long as a mutation would, for another git process that keeps the index locked. The error is a
// *git.LockedError.
func (s *Store) AwaitIndex(ctx context.Context) error {
	timeout, err := s.lockTimeout()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return commit.AwaitIndex(ctx, s.repo)
}

// lockTimeout reads ralph.lockTimeout: seconds, or a duration such as "500ms".
func (s *Store) lockTimeout() (time.Duration, error) {
	value, found := s.config.Get("ralph.lockTimeout")
	if !found {
		return DefaultLockTimeout, nil
	}
	timeout, err := config.ParseDuration(value)
	if err != nil {
		return 0, fmt.Errorf("%w ralph.lockTimeout %q: want seconds or a duration such as 500ms", ErrConfig, value)
	}
	return timeout, nil
}
