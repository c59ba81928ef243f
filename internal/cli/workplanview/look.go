package workplanview

import (
	"context"
	"errors"
	"fmt"
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

// ErrUnreadable: the workplan is there and cannot be read, such as where it has become a directory or a pipe.
var ErrUnreadable = errors.New("the workplan cannot be read")

// Look reads a workplan, and marks the state of its worktree. near is the repository that the user is in, in which the file is in most
// cases; nil where it has not been opened. The errors are ErrUnreadable, git.ErrNotRepository, with which the workplan is returned all the
// same, and others.
func Look(ctx context.Context, env *term.Env, near *git.Repo, file string) (workplanloop.Seen, error) {
	data, err := parser.Read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return workplanloop.Seen{Gone: true}, nil
	}
	if err != nil {
		return workplanloop.Seen{}, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	repo, err := repositoryOf(ctx, env, near, filepath.Dir(file))
	if errors.Is(err, git.ErrNotRepository) {
		seen, invalid := parse(ctx, env, env.Dir, file, data)
		return seen, errors.Join(err, invalid)
	}
	if err != nil {
		return workplanloop.Seen{}, err
	}
	parsed := make(chan func() (workplanloop.Seen, error), 1)
	go func() { // while git looks at the worktree: an agent waits for both
		seen, err := parse(ctx, env, repo.Root(), file, data)
		parsed <- func() (workplanloop.Seen, error) { return seen, err }
	}()
	mark, marked := markOf(ctx, repo, string(data))
	seen, err := (<-parsed)()
	hub, isHub, _ := target.Of(ctx, repo) //nolint:errcheck // an invalid setting is reported by the commands
	seen.Hub, seen.Mark = isHub, mark
	if err != nil || marked != nil {
		return seen, errors.Join(err, marked)
	}
	if isHub && seen.Plan != nil {
		hub.Queue(seen.Plan) //nolint:errcheck // the next command queues it
	}
	return seen, nil
}

// repositoryOf opens the repository of a directory, where it is not near.
func repositoryOf(ctx context.Context, env *term.Env, near *git.Repo, dir string) (*git.Repo, error) {
	if near != nil && git.IsWithin(near, dir) {
		return near, nil
	}
	return git.Open(ctx, dir, env.Environ)
}

// parse parses a workplan. A program of the worktree around dir is never run.
func parse(ctx context.Context, env *term.Env, dir, file string, data []byte) (seen workplanloop.Seen, err error) {
	self, _ := os.Executable() //nolint:errcheck // then the PATH is searched
	seen.Plan, err = parser.Parser{Beside: self, Dir: dir, Environ: env.Environ}.Parse(ctx, file, data)
	if invalid, ok := errors.AsType[*workplan.InvalidError](err); ok {
		seen.Invalid, err = invalid, nil
	}
	return seen, err
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
