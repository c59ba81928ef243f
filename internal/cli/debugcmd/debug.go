package debugcmd

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/store"
)

// New makes `git ralph debug`. gitHub makes issues at GitHub, instead of those of the plan.
func New(env *term.Env, gitHub func(uicmd.CollateOptions, context.Context, *term.Env) error) *cli.Command {
	return &cli.Command{
		Name: "debug", Usage: "find what fails, in the debug log", Description: about,
		Subcommands: []*cli.Command{newCollate(env, gitHub), newStats(env)},
	}
}

const about = `With RALPH_DEBUG=true in the environment, or ` + "`git config ralph.debug true`" + `, git
ralph records what it does in the git directory: tools, requests, hooks, processes of
git, iterations of agents, commands. Secrets are not recorded.

EXIT STATUS
  2  the command line is wrong
  Every command lists its own.

EXAMPLES
  RALPH_DEBUG=true git ralph build
  git ralph debug stats
  git ralph debug collate --dry-run`

func sinceFlag(value string) cli.Flag {
	return cmdline.Completes(&cli.StringFlag{
		Name: "since", Value: value, Usage: "events since `DATE`: 24h, 7d, in any of git's words, or since a commit",
	}, cmdline.Revisions)
}

// timeOf returns the time that a word means: that of a commit, else a date.
func timeOf(ctx context.Context, st *store.Store, word string) (time.Time, error) {
	text := ""
	id, err := st.Resolve(ctx, word)
	switch {
	case err == nil:
		text, err = st.Repo().Git().Run(ctx, nil, "show", "-s", "--format=%ct", id)
	case errors.Is(err, git.ErrBadRevision):
		text, err = walk.ParseDate(ctx, st.Repo(), word)
	}
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("invalid time of %q from git: %q", word, text)
	}
	return time.Unix(seconds, 0), nil
}
