package commit

import (
	"context"

	"git-ralph/internal/git"
)

// RefreshIndex has git update the stat data in the index, as `git status` does, so that plumbing reports no differences where
// there are none.
func RefreshIndex(ctx context.Context, r *git.Repo) {
	r.Git().Run(ctx, nil, "update-index", "-q", "--refresh") //nolint:errcheck // it fails where files differ, which is no failure here
}

// RestoreFile makes a file in the index and the worktree what it is at a commit.
func RestoreFile(ctx context.Context, r *git.Repo, commit, path string) error {
	_, err := r.Git().Run(ctx, nil, "checkout", "-q", commit, "--", path)
	return err
}
