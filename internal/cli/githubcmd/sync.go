package githubcmd

import (
	"context"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/github/mirror"
	"git-ralph/internal/github/remote"
	"git-ralph/internal/plan"
	"git-ralph/internal/store"
)

// Pull is `git ralph github pull`.
func Pull(ctx context.Context, env *term.Env, o uicmd.GitHubOptions) error {
	return run(ctx, env, o, func(ctx context.Context, s *session) error { return s.pull(ctx) })
}

// Push is `git ralph github push`.
func Push(ctx context.Context, env *term.Env, o uicmd.GitHubOptions) error {
	return run(ctx, env, o, func(ctx context.Context, s *session) error { return s.push(ctx) })
}

// Sync is `git ralph github sync`.
func Sync(ctx context.Context, env *term.Env, o uicmd.GitHubOptions) error {
	return run(ctx, env, o, func(ctx context.Context, s *session) error {
		if err := s.pull(ctx); err != nil {
			return err
		}
		return s.push(ctx)
	})
}

// A session is one run of a command.
type session struct {
	*connection
	options uicmd.GitHubOptions
	repo    mirror.Repository
	remote  *remote.Remote

	changes  []plan.Change
	commits  []store.Result
	sent     []sent
	warnings []string
	twins    []mirror.Twin // that are to be closed
	failed   bool          // something could not be sent
}

// A sent is what the issue of an item was sent.
type sent struct {
	item string // its label
	what []string
}

func run(ctx context.Context, env *term.Env, o uicmd.GitHubOptions, do func(context.Context, *session) error) error {
	c, err := connect(ctx, env)
	if err != nil {
		return err
	}
	held, err := c.lock()
	if err != nil {
		return err
	}
	defer held.Release() //nolint:errcheck // the process's end releases it too
	s := &session{connection: c, options: o, remote: remote.New(c.client), repo: mirror.Repository{
		Owner: c.target.Owner, Web: c.target.Web(), Project: c.target.Project > 0,
	}}
	err = do(ctx, s)
	s.print(o.Format.Json(env), err)
	switch {
	case err != nil:
		return err
	case s.failed:
		return cmdline.StatusError(cmdline.ExitFailed)
	case len(s.changes)+len(s.sent) == 0:
		return cmdline.StatusError(cmdline.ExitNothing)
	}
	return nil
}

func (s *session) warn(text string) { s.warnings = append(s.warnings, text) }
