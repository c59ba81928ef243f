package walk

import (
	"context"

	"git-ralph/internal/git"
)

// StoreWalker opens the engine that reads the repository's own files, whatever the repository is like.
func StoreWalker(ctx context.Context, r *git.Repo) Walker { return &odbWalker{repo: r, ctx: ctx} }

// ProgramWalker opens the engine that asks git.
func ProgramWalker(ctx context.Context, r *git.Repo) Walker {
	return &gitWalker{repo: r, ctx: ctx, files: r.Reader(ctx)}
}
