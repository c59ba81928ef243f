package setupcmd

import (
	"fmt"
	"runtime"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

type VersionOptions struct{ Format cmdline.Format }

func NewVersion(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the version",
		Description: `Prints one line, "git-ralph version …", or with --json {"version", "go", "os",
"arch"}.

EXIT STATUS
  0  done
  2  the command line is wrong

EXAMPLES
  git ralph version`,
		Flags: cmdline.TextFormatFlags(),
		Action: func(c *cli.Context) error {
			return VersionOptions{Format: cmdline.FormatFrom(c)}.Run(env)
		},
	}
}

func (o VersionOptions) Run(env *term.Env) error {
	version := env.BuildVersion()
	if o.Format != cmdline.FormatJSON {
		fmt.Fprintf(env.Out, "git-ralph version %s\n", version)
		return nil
	}
	env.WriteJSON(func(w term.Sink) {
		out := term.Object{Sink: w}
		out.Str("version", version)
		out.Str("go", runtime.Version())
		out.Str("os", runtime.GOOS)
		out.Str("arch", runtime.GOARCH)
		out.End()
	})
	return nil
}
