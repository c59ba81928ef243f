package runcmd

import (
	"context"
	"errors"
	"strings"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/proc"
)

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
