package workplancmd

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

// fileOptions are the command line of a command that reads one file.
type fileOptions struct {
	file   string
	format cmdline.Format
}

func newCheck(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "check", Usage: "report whether a workplan is done", ArgsUsage: "FILE", Description: aboutCheck,
		Flags: cmdline.TextFormatFlags(), BashComplete: FileArgument(),
		Action: cmdline.Action(env, fileOptionsFrom, fileOptions.check),
	}
}

func fileOptionsFrom(c *cli.Context) (fileOptions, error) {
	file, err := FileFrom(c)
	return fileOptions{file, cmdline.FormatFrom(c)}, err
}

// check has exit codes of its own: whatever keeps it from an answer is 2.
func (o fileOptions) check(ctx context.Context, env *term.Env) error {
	f, err := read(ctx, env, o.file)
	if err != nil {
		return &cmdline.CodedError{Err: err, Code: cmdline.ExitUsage}
	}
	missing := f.Missing()
	if o.format == cmdline.FormatJSON {
		env.WriteJSON(func(w term.Sink) {
			out := term.Object{Sink: w}
			out.Str("file", o.file)
			out.Boolean("done", missing == "")
			out.StrIf("missing", missing)
			out.End()
		})
	} else if missing == "" {
		env.Print(fmt.Sprintf("%s is done", f.ID))
	} else {
		env.Print(fmt.Sprintf("%s is not done: %s", f.ID, missing))
	}
	if missing != "" {
		return cmdline.StatusError(cmdline.ExitFailed)
	}
	return nil
}

const aboutCheck = `Says whether a workplan is done: every task block has the status done, and so does the
frontmatter. A workplan without task blocks is done by its frontmatter alone. If it is
not done, the answer says why.

Prints text; with --json {"file", "done", "missing"}.

EXIT STATUS
  0  the workplan is done
  1  it is not done
  2  anything else: the file is missing or not valid, the command line is wrong

EXAMPLES
  git ralph workplan check workplans/WP-0001-parser.md
  until git ralph workplan check plan.md; do sleep 60; done`
