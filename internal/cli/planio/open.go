package planio

import (
	"context"
	"os"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/store"
	"git-ralph/internal/workplan/parser"
	"git-ralph/internal/workplantask"
)

// WorkplanParser returns what parses workplans for the process.
func WorkplanParser(e *term.Env) parser.Parser {
	own, err := os.Executable()
	if err != nil {
		own = "" // the PATH is left
	}
	return parser.Parser{Beside: own, Dir: e.Dir, Environ: e.Environ}
}

// Open opens the plan of the user's worktree. It changes nothing, and does not recover the previous run.
func Open(ctx context.Context, e *term.Env) (*store.Store, error) {
	st, err := store.Open(ctx, optionsOf(e))
	return recording(e, st), err
}

// OpenIn is Open for a repository that was opened in the user's directory.
func OpenIn(ctx context.Context, e *term.Env, repo *git.Repo) (*store.Store, error) {
	st, err := store.In(ctx, repo, optionsOf(e))
	return recording(e, st), err
}

func optionsOf(e *term.Env) store.Options {
	return store.Options{
		Dir: e.Dir, Environ: e.Environ, Now: e.Now, Random: e.Random,
		Err: e.Err, Known: func(st *store.Store) []string { return knownIDs(e, st) },
		Workplans: workplans{workplantask.Link{Parser: WorkplanParser(e)}, e},
	}
}
