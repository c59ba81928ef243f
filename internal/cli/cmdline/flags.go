package cmdline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/term"
)

// Action returns the action of a command: it reads the command line into options, and runs them.
func Action[O any](env *term.Env, read func(*cli.Context) (O, error), run func(O, context.Context, *term.Env) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		o, err := read(c)
		if err != nil {
			return err
		}
		return run(o, c.Context, env)
	}
}

// CheckLine refuses what no command accepts: formats that exclude each other, too many
// arguments, and empty values and arguments, since a shell variable that is not set must not
// count as a flag or an argument that was not given. It runs before every command.
func CheckLine(c *cli.Context) error {
	if err := CheckFormat(c); err != nil {
		return err
	}
	if err := checkValues(c); err != nil {
		return err
	}
	return checkArgs(c)
}

// checkValues refuses a flag with an empty value.
func checkValues(c *cli.Context) error {
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		if !c.IsSet(name) || valuesOf(f).isEmpty {
			continue
		}
		var values []string
		switch f.(type) {
		case *cli.StringFlag, *textFlag:
			values = []string{c.String(name)}
		case *cli.StringSliceFlag, *listFlag:
			values = c.StringSlice(name)
		}
		if slices.ContainsFunc(values, IsBlank) {
			return Usage(c, "flag %s needs a value", Dashed(name))
		}
	}
	return nil
}

// checkArgs refuses more arguments than ArgsUsage names, and an empty one unless the arguments are the words of a text.
func checkArgs(c *cli.Context) error {
	want := strings.TrimPrefix(c.Command.ArgsUsage, "[")
	args := c.Args().Slice()
	if n, limited := maxArgs(c.Command); limited && len(args) > n {
		text := fmt.Sprintf("%s does not take the argument %q", c.Command.HelpName, args[n])
		return &UsageError{Text: text, Hint: runHint(c.Command.HelpName, args[n]), Command: c.Command.HelpName}
	}
	switch {
	case want == "", strings.HasPrefix(want, "NAME"), strings.HasPrefix(want, "TEXT"):
		return nil
	case strings.Contains(want, "REASON"):
		if len(args) < 2 {
			return nil // the reason alone
		}
		args = args[:1]
	}
	at := slices.IndexFunc(args, IsBlank)
	switch {
	case at < 0:
		return nil
	case strings.HasPrefix(want, "ID") && (at == 0 || strings.HasPrefix(want, "ID…")):
		return Usage(c, "the id is empty: want one such as t-1a2b")
	}
	return Usage(c, "argument %d is empty: want %s", at+1, c.Command.ArgsUsage)
}

// IsBlank reports whether a text is empty or white space alone.
func IsBlank(text string) bool { return strings.TrimSpace(text) == "" }

// maxArgs returns how many arguments a command takes, where ArgsUsage shows that it is none or one. Other commands check theirs
// themselves.
func maxArgs(c *cli.Command) (n int, limited bool) {
	if c.ArgsUsage == "" {
		return 0, !c.SkipFlagParsing && len(c.Subcommands) == 0
	}
	for choice := range strings.SplitSeq(c.ArgsUsage, " | ") {
		if strings.ContainsAny(choice, " …") {
			return 0, false
		}
	}
	return 1, true
}

// YesFlag is the flag of commands that ask for trust.
func YesFlag() cli.Flag {
	return &cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "trust what the repository has for agents, without asking"}
}
