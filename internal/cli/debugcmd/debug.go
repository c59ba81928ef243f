package debugcmd

import (
	"context"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
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
