package agentcmd

import (
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/term"
)

// New is the command `git ralph agent`. primer returns the text of `git ralph prime`, which only the whole command tree can make.
func New(env *term.Env, primer func() string) *cli.Command {
	return &cli.Command{
		Name: "agent", Usage: "connect git ralph with a coding agent",
		Description: `An agent that is connected asks git ralph whenever a session begins, before it writes
a file, and before it stops. docs/agents.md says what is answered.

EXIT STATUS
  0  done
  2  the command line is wrong

EXAMPLES
  git ralph agent install claude
  git ralph agent list`,
		Subcommands: []*cli.Command{newInstall(env), newUninstall(env), newList(env), newExport(env), newSpawn(env), newHook(env, primer)},
	}
}
