package runcmd

import (
	"context"
	"errors"
	"strings"
	"time"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/github"
	"git-ralph/internal/proc"
	"git-ralph/internal/store"
)

// testPause is how often a worker asks about pull requests at a server of tests; 0 elsewhere.
func testPause(ctx context.Context, env *term.Env, st *store.Store) time.Duration {
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return 0
	}
	target, _, err := github.TargetOf(settings.Get, env.Getenv)
	if err != nil { // who asks says so
		return 0
	}
	return target.TestPause(env.Getenv)
}

// advancePulls has git-ralph-ui do what is due for pull requests: this program does not talk to GitHub.
func advancePulls(ctx context.Context, env *term.Env, into string) error {
	self, err := ownProgram(env.Environ)
	if err != nil {
		return err
	}
	result, err := proc.Run(ctx, proc.Cmd{
		Name: self, Args: []string{"github", "pr", "advance", "--into", strings.TrimPrefix(into, "refs/heads/")}, Dir: env.Dir, Env: env.Environ, Group: true,
	})
	switch proc.ExitCode(err) {
	case cmdline.ExitNothing, cmdline.ExitLocked:
		return nil
	}
	if text := strings.TrimSpace(string(result.Stderr)); err != nil && text != "" {
		err = errors.New(text)
	}
	return err
}
