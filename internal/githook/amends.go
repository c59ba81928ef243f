package githook

import (
	"bytes"
	"context"
	"slices"

	"git-ralph/internal/git/commit"
)

// What pre-commit's argument says of the commit that is being made. There is none where the hook did not find out, and from tools that
// run `git ralph hook` by themselves.
const (
	amendingHead = "amend" // it takes the place of HEAD's
	notAmending  = "new"
)

// amends reports whether the commit that is being made takes the place of HEAD's. Where the hook did not find that out, it
// does if it has the date of HEAD's: git gives the author's date to its hooks.
func (r run) amends(ctx context.Context, args []string) bool {
	if slices.Contains(args, amendingHead) || slices.Contains(args, notAmending) {
		return slices.Contains(args, amendingHead)
	}
	head, err := r.repo.HeadCommit(ctx)
	return err == nil && slices.Contains(r.Environ, "GIT_AUTHOR_DATE=@"+head.AuthorDate)
}

// concernsPlan reports whether the commit that is being made changes the plan: the hook is called in vain where it did not
// find out whether it amends HEAD's.
func (r run) concernsPlan(ctx context.Context, args []string) bool {
	if slices.Contains(args, amendingHead) || slices.Contains(args, notAmending) || r.amends(ctx, args) {
		return true
	}
	staged, found, err := commit.StagedFile(ctx, r.repo, r.Store.PlanPath())
	return err != nil || !found || !bytes.Equal(staged, r.contentAt(ctx, "HEAD"))
}
