package mergecmd

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plandiff"
)

// textconvOptions are the command line of `git ralph textconv`.
type textconvOptions struct{ file string }

func NewTextconv(env *term.Env) *cli.Command {
	return &cli.Command{
		Name:      "textconv",
		Usage:     "print a plan as text that git diff compares well",
		ArgsUsage: "FILE",
		Description: `Prints a plan file, or standard input for "-", as text: a block for each
record, a line for each field, ordered by id, so that a diff does not show lines that
only moved. A line that cannot be read is printed as it is, and is not an error.

It is made for git: after git ralph install or git ralph init, git diff, git log -p
and git show print plans this way.

EXIT STATUS
  0  done
  1  the file cannot be read
  2  the command line is wrong

EXAMPLES
  git ralph textconv ralph/plan.jsonl`,
		BashComplete: cmdline.CompletesArgs(cmdline.Files),
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return cmdline.Usage(c, "textconv takes one file")
			}
			return textconvOptions{file: c.Args().First()}.run(c.Context, env)
		},
	}
}

func (o textconvOptions) run(ctx context.Context, env *term.Env) error {
	data, err := readNamed(ctx, env, o.file)
	if err != nil {
		return err
	}
	_, err = io.WriteString(env.Out, plandiff.Textconv(string(data), term.Printable))
	return term.OutputError(err)
}

// readNamed reads a file that the user named; "-" is standard input.
func readNamed(ctx context.Context, e *term.Env, name string) ([]byte, error) {
	if name == "-" {
		return e.ReadInput()
	}
	data, err := os.ReadFile(e.Path(name))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, term.ReasonOf(err))
	}
	return data, nil
}
