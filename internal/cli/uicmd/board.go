package uicmd

import (
	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

// BoardOptions are the command line of `git ralph board`.
type BoardOptions struct{}

// NewBoard is `git ralph board`.
func (i Interfaces) NewBoard(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "board", Usage: "show the plan as a board in the terminal, and change it", Description: aboutBoard,
		Action: cmdline.Action(env, func(*cli.Context) (BoardOptions, error) {
			switch {
			case !env.Interactive:
				return BoardOptions{}, &cmdline.UsageError{Text: "the board needs a terminal for its input and output", Hint: noBoardHint}
			case env.Getenv("TERM") == "dumb":
				return BoardOptions{}, &cmdline.UsageError{Text: "the board cannot be drawn on a terminal with TERM=dumb", Hint: noBoardHint}
			}
			return BoardOptions{}, nil
		}, act(i.Board)),
	}
}

const noBoardHint = "`git ralph status` and `git ralph task list` print the plan"

const aboutBoard = `Shows the plan in columns: what is ready, blocked, claimed, done, landed, and was
accepted today. Beside them is all about the task that is selected, its history, and
what it waits for. What others change is shown at once.

There is a key for every change, and each change is what the command of its name does:
one commit, with the same checks and messages. ? lists the keys. u undoes a change;
[ and ] show the plan as it was at an earlier commit.

The program is git-ralph-ui, which is installed together with git-ralph.

EXIT STATUS
  0  done
  1  the plan cannot be read, or git-ralph-ui is missing or of another version
  2  the command line is wrong, or there is no terminal
  5  the plan is not valid

EXAMPLES
  git ralph board
  git ralph -C ../other board`
