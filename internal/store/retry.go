package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"git-ralph/internal/git/commit"
)

// runWithRetries runs the request until no other process interferes, or the time limit is reached.
func (s *Store) runWithRetries(ctx context.Context, r Request) (Result, error) {
	timeout, err := s.lockTimeout()
	if err != nil {
		return Result{}, err
	}
	deadline := time.Now().Add(timeout)
	var lost *transaction
	for {
		t := &transaction{Store: s, request: r, earlier: lost}
		result, err := t.run(ctx, timeout)
		switch {
		case time.Now().After(deadline):
			return result, err
		case isTransient(err) && s.isChanging():
			time.Sleep(retryTime)
		case !isContention(err):
			return result, err
		}
		if t.content != nil {
			lost = t
		}
	}
}

// isContention reports whether a mutation failed because another process changed the repository.
func isContention(err error) bool {
	_, locked := errors.AsType[*commit.RefLockedError](err)
	return locked || errors.Is(err, commit.ErrHeadMoved)
}

// isTransient reports whether an error may be caused by a checkout, pull or reset under way, which writes the file and the
// index before it moves HEAD.
func isTransient(err error) bool {
	_, edits := errors.AsType[*EditsError](err)
	_, missing := errors.AsType[*MissingError](err)
	return edits || missing || errors.Is(err, ErrStaged)
}

// freshTime is how long after a change of file, index or HEAD the same command may make another one: on a busy machine a
// checkout may pause in between.
const freshTime = time.Second

// retryTime is the pause before another look.
const retryTime = 50 * time.Millisecond

// isChanging reports whether another process is likely to be changing the plan, the index or HEAD.
func (s *Store) isChanging() bool {
	last, locked := commit.LastTouched(s.repo)
	for _, path := range [...]string{s.filePath(), filepath.Dir(s.filePath())} {
		if info, err := os.Lstat(path); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return locked || time.Since(last) < freshTime
}
