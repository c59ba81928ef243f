package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

type versionOptions struct{ format format }

func newVersion(env *Env) *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the version",
		Description: `Prints one line, "git-ralph version …", or with --json {"version", "go", "os",
"arch"}.

EXIT STATUS
  0  done
  2  the command line is wrong

EXAMPLES
  git ralph version`,
		Flags: textFormatFlags(),
		Action: func(c *cli.Context) error {
			if err := atMost(c, 0); err != nil {
				return err
			}
			return versionOptions{format: formatFrom(c)}.run(env)
		},
	}
}

func (o versionOptions) run(env *Env) error {
	version := env.version()
	if o.format != formatJSON {
		fmt.Fprintf(env.Out, "git-ralph version %s\n", version)
		return nil
	}
	env.writeJSON(func(w sink) {
		out := object{sink: w}
		out.str("version", version)
		out.str("go", runtime.Version())
		out.str("os", runtime.GOOS)
		out.str("arch", runtime.GOARCH)
		out.end()
	})
	return nil
}

// version is what this program says of itself.
func (e *Env) version() string {
	if e.Version == "" {
		return builtVersion()
	}
	return e.Version
}

// builtVersion is what the Go toolchain knows of a program that was built
// without a version.
func builtVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
