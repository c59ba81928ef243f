package agentcmd

import (
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/term"
)

// NewWorkplan is the command `git ralph workplan`.
func NewWorkplan(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "workplan", Usage: "work on a workplan: tasks in a Markdown file",
		Description: `A workplan is a Markdown file whose tasks are fenced blocks.

EXIT STATUS
  0  done
  1  failed
  2  the command line is wrong

EXAMPLES
  git ralph workplan loop status`,
		Subcommands: []*cli.Command{NewLoop(env)},
	}
}
