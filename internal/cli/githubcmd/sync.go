package githubcmd

import (
	"context"
	"errors"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
)

// Pull is `git ralph github pull`.
func Pull(ctx context.Context, env *term.Env, o uicmd.GitHubOptions) error { return run(ctx, env, o) }

// Push is `git ralph github push`.
func Push(ctx context.Context, env *term.Env, o uicmd.GitHubOptions) error { return run(ctx, env, o) }

// Sync is `git ralph github sync`.
func Sync(ctx context.Context, env *term.Env, o uicmd.GitHubOptions) error { return run(ctx, env, o) }

func run(ctx context.Context, env *term.Env, _ uicmd.GitHubOptions) error {
	c, err := connect(ctx, env)
	if err != nil {
		return err
	}
	held, err := c.lock()
	if err != nil {
		return err
	}
	defer held.Release()         //nolint:errcheck // the process's end releases it too
	return errors.ErrUnsupported // the next commits
}
