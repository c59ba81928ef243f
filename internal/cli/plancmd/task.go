package plancmd

import (
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/term"
)

// NewTask is `git ralph task`; its subcommands are in files of their own.
func NewTask(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "task", Usage: "add, finish, accept, reject and list tasks",
		Description: `Ids may be shortened as long as they are unambiguous. Each change is one commit of the
plan file alone; every command takes --dry-run.

EXIT STATUS
  2  the command line is wrong
  Every command lists its own.

EXAMPLES
  git ralph task add Write the parser
  git ralph task list --ready`,
		Subcommands: []*cli.Command{
			newTaskAdd(env),
			newTaskDone(env),
			newTaskAccept(env),
			newTaskReject(env),
			newTaskCancel(env),
			newTaskEdit(env),
			newTaskKill(env),
			newTaskDecompose(env),
			newTaskList(env),
			newTaskShow(env),
		},
	}
}
