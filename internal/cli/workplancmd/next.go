package workplancmd

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

func newNext(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "next", Usage: "show the task to do now", ArgsUsage: "FILE", Description: aboutNext,
		Flags: cmdline.FormatFlags(), BashComplete: FileArgument(),
		Action: cmdline.Action(env, fileOptionsFrom, fileOptions.next),
	}
}

func (o fileOptions) next(ctx context.Context, env *term.Env) error {
	f, err := read(ctx, env, o.file)
	if err != nil {
		return err
	}
	t, ok := f.Next()
	if !ok {
		nothing := &cmdline.NothingError{Text: "every task of " + f.ID + " is done"}
		if !f.Done() {
			nothing.Hint = "`git ralph workplan close " + term.ShellLine([]string{o.file}) + "` closes it"
		}
		return nothing
	}
	if o.format.Json(env) {
		env.WriteJSON(func(w term.Sink) { writeTask(w, t) })
		return nil
	}
	env.Print(fmt.Sprintf("%s %s (%s, line %d)", t.ID, t.Name, t.Status, t.Line))
	return nil
}

const aboutNext = `Shows the task to do now: one that is in progress, else the one with the highest
priority (high, medium, low, none), else the first in the file.

Where standard output is not a terminal it is JSON: {"id", "name", "status", "priority",
"line"}.

EXIT STATUS
  0  done
  1  the file is missing or cannot be read
  2  the command line is wrong
  3  nothing is left to do
  5  the file is not a valid workplan

EXAMPLES
  git ralph workplan next workplans/WP-0001-parser.md
  git ralph workplan next plan.md --json | jq -r .id`
