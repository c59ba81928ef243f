package githook

import (
	"bytes"
	"context"
	"slices"

	"git-ralph/internal/git/commit"
)

// The argument of pre-commit, which says whether the new commit amends HEAD's. It is missing if the script could not find out,
// or if another tool runs `git ralph hook`.
const (
	amendingHead = "amend" // it takes the place of HEAD's
	notAmending  = "new"
)

// amends reports whether the new commit amends HEAD's. Without the argument it compares the author dates, since git passes the
// new commit's date to its hooks.
func (r run) amends(ctx context.Context, args []string) bool {
	if slices.Contains(args, amendingHead) || slices.Contains(args, notAmending) {
		return slices.Contains(args, amendingHead)
	}
	head, err := r.repo.HeadCommit(ctx)
	return err == nil && slices.Contains(r.Environ, "GIT_AUTHOR_DATE=@"+head.AuthorDate)
}

// concernsPlan reports whether the new commit may change the plan. The script calls the hook without need if it could not find
// out whether the commit amends HEAD's.
func (r run) concernsPlan(ctx context.Context, args []string) bool {
	if slices.Contains(args, amendingHead) || slices.Contains(args, notAmending) || r.amends(ctx, args) {
		return true
	}
	staged, found, err := commit.StagedFile(ctx, r.repo, r.Store.PlanPath())
	return err != nil || !found || !bytes.Equal(staged, r.planBytesAt(ctx, "HEAD"))
}
