package planio

import (
	"context"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/store"
)

// Open opens the plan of the user's worktree. It changes nothing, and does not recover the previous run.
func Open(ctx context.Context, e *term.Env) (*store.Store, error) {
	return store.Open(ctx, store.Options{
		Dir: e.Dir, Environ: e.Environ, Now: e.Now, Random: e.Random,
		Err: e.Err, Known: func(st *store.Store) []string { return knownIDs(e, st) },
	})
}
