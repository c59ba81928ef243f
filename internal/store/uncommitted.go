package store

import (
	"context"
	"errors"

	"git-ralph/internal/git"
)

// Uncommitted tells whether the plan's file is another than HEAD's, so that the next mutation would take its edits along.
// Where ralph.commit says that plans are not committed it never is.
func (s *Store) Uncommitted(ctx context.Context) (bool, error) {
	if mode, _ := s.config.Get("ralph.commit"); mode == "off" || mode == "stage" {
		return false, nil
	}
	now, exists, err := s.read()
	if err != nil || !exists {
		return false, err // a plan that is gone is no edit of a plan
	}
	reader := s.repo.Reader(ctx)
	defer reader.Close()
	head, err := reader.Resolve("HEAD")
	if errors.Is(err, git.ErrBadRevision) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	blob, err := reader.File(head, s.path)
	if errors.Is(err, git.ErrNotFound) {
		return true, nil
	}
	return !file{now, true}.same(file{blob.Data, true}), err
}
