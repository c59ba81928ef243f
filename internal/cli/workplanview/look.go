package workplanview

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"git-ralph/internal/changes"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/git"
	"git-ralph/internal/hub/target"
	"git-ralph/internal/sha256"
	"git-ralph/internal/workplan"
	"git-ralph/internal/workplan/parser"
	"git-ralph/internal/workplanloop"
)

// Look reads a workplan, and marks the state of its worktree.
func Look(ctx context.Context, env *term.Env, file string) (workplanloop.Seen, error) {
	data, err := parser.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return workplanloop.Seen{Gone: true}, nil
	}
	if err != nil {
		return workplanloop.Seen{}, err
	}
	repo, err := git.Open(ctx, filepath.Dir(file), env.Environ)
	if err != nil {
		return workplanloop.Seen{}, err
	}
	self, _ := os.Executable() //nolint:errcheck // then the PATH is searched
	parsed := make(chan func() (*workplan.File, error), 1)
	go func() { // while git looks at the worktree: an agent waits for both
		plan, err := parser.Parser{Beside: self, Dir: repo.Root(), Environ: env.Environ}.Parse(ctx, file, data)
		parsed <- func() (*workplan.File, error) { return plan, err }
	}()
	mark, marked := markOf(ctx, repo, string(data))
	plan, err := (<-parsed)()
	hub, isHub, _ := target.Of(ctx, repo) //nolint:errcheck // an invalid setting is reported by the commands
	seen := workplanloop.Seen{Plan: plan, Hub: isHub, Mark: mark}
	if invalid, ok := errors.AsType[*workplan.InvalidError](err); ok {
		seen.Invalid, err = invalid, nil
	}
	if err != nil || marked != nil {
		return seen, errors.Join(err, marked)
	}
	if isHub && plan != nil {
		hub.Queue(plan) //nolint:errcheck // the next command queues it
	}
	return seen, nil
}

// markOf returns a text that is another one whenever the workplan, HEAD or a file of the worktree changed, tracked or not.
func markOf(ctx context.Context, repo *git.Repo, text string) (string, error) {
	head, err := repo.Head(ctx)
	if err != nil {
		return "", err
	}
	dirty, err := repo.Changes(ctx, ".")
	if err != nil {
		return "", err
	}
	var paths []string
	for _, c := range dirty {
		paths = append(paths, c.Path)
	}
	return sha256.Hex(head + "\x00" + string(changes.SignaturesOf(repo.Root(), paths).JSON()) + "\x00" + text), nil
}
