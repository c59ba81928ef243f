package git

import "context"

// StoreWalker opens the engine that reads the repository's own files, whatever the repository is like.
func (r *Repo) StoreWalker(ctx context.Context) Walker { return &storeWalker{repo: r, ctx: ctx} }

// ProgramWalker opens the engine that asks git.
func (r *Repo) ProgramWalker(ctx context.Context) Walker {
	return &programWalker{repo: r, ctx: ctx, files: catFile{repo: r, ctx: ctx}}
}
