package uicmd

import (
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

// IntegrateOptions are the command line of `git ralph github integrate`.
type IntegrateOptions struct {
	Branch string // "": the usual name, and only where it is needed
}

func (i Interfaces) newIntegrate(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "integrate", Usage: "have the plan on a branch of its own where the default branch is protected", ArgsUsage: "[BRANCH]", Description: aboutIntegrate,
		BashComplete: cmdline.CompletesArgs(cmdline.Revisions),
		Action: cmdline.Action(env, func(c *cli.Context) (IntegrateOptions, error) {
			if c.NArg() > 1 || c.NArg() == 1 && c.Args().First() == "" {
				return IntegrateOptions{}, cmdline.Usage(c, "want the name of one branch, or none")
			}
			return IntegrateOptions{c.Args().First()}, nil
		}, act(i.GitHubIntegrate)),
	}
}

const aboutIntegrate = `Asks GitHub whether the branch that pull requests are merged into, which is the default
branch or ralph.github.base, is protected. Where it is, the plan cannot be pushed
there: this makes BRANCH (default: ralph-integration) from it, pushes that, and sets
ralph.target in this clone's configuration. A branch that is there already is kept, here
and at the remote. Where the base is not protected, only a BRANCH that is named is made.

The new branch begins at this clone's base, with its commits that are not pushed yet, such
as the plan; where the remote's has moved, at that. git ralph github pr advance merges
the base into it from then on. ralph.github.protected in this clone's configuration
keeps what was seen; git ralph pipeline plan and team run read it there.

EXIT STATUS
  0  done
  1  it failed; doing it again continues
  2  the command line is wrong
  3  there was nothing to do: the base is not protected, or another branch is the target
  4  another process does what is due for pull requests

EXAMPLES
  git ralph github integrate
  git ralph github integrate plan`
