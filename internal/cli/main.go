package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/runcmd"
	"git-ralph/internal/cli/setupcmd"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
)

// Main runs one command line, args[0] being the program's name, and returns
// its exit code.
func Main(ctx context.Context, args []string, env *term.Env) int {
	return MainOf(ctx, args, env, uicmd.Interfaces{})
}

// NeedsNoDirectory reports whether a command line does its work also where the current directory was deleted: an agent's hook looks where the
// session is, and never fails.
func NeedsNoDirectory(args []string) bool {
	return len(args) > 2 && args[1] == "agent" && args[2] == "hook"
}

// MainOf is Main of a program that has interfaces itself.
func MainOf(ctx context.Context, args []string, env *term.Env, ui uicmd.Interfaces) int {
	out := bufio.NewWriterSize(env.Out, 64<<10)
	env.Tty, env.Out, env.Line = env.Out, out, args[1:]
	err := run(ctx, env, ui)
	if flushed := out.Flush(); err == nil {
		err = withChange(env, term.OutputError(flushed))
	}
	code := Report(env, err)
	planio.RecordEnd(env, err, code, false)
	return code
}

func run(ctx context.Context, env *term.Env, ui uicmd.Interfaces) error {
	if app := appOfOne(env, commands(ui), env.Line); app != nil {
		if line, err := cmdline.ParseLine(app, env.Line); err == nil && !line.Help {
			env.Command = line
			return app.RunContext(ctx, line.Arguments())
		}
	}
	app := appOf(env, commands(ui))
	line, err := cmdline.ParseLine(app, env.Line)
	if err != nil {
		return err
	}
	if line.Help {
		env.Page(ctx, func(env *term.Env) { cmdline.WriteHelp(env, line.Path, app) })
		return nil
	}
	env.Command = line
	return app.RunContext(ctx, line.Arguments())
}

// runRoot is `git ralph` without a command.
func runRoot(c *cli.Context, env *term.Env) error {
	if err := cmdline.CheckFormat(c); err != nil {
		return err
	}
	if c.Bool("version") {
		return setupcmd.VersionOptions{Format: cmdline.FormatFrom(c)}.Run(env)
	}
	return runcmd.StatusOptions{Format: cmdline.FormatFrom(c)}.Run(c.Context, env)
}

// withUsageErrors makes every command of a tree check its line, and report wrong flags, in the same
// way.
func withUsageErrors(tree []*cli.Command) []*cli.Command {
	for _, c := range tree {
		c.OnUsageError, c.HideHelp, c.Before = asUsageError, true, cmdline.CheckLine
		withUsageErrors(c.Subcommands)
	}
	return tree
}

func asUsageError(c *cli.Context, err error, _ bool) error {
	return cmdline.Usage(c, "%s", flagErrorText(err.Error()))
}

// flagErrorText returns our message for an error of urfave/cli about a flag's value:
//
//	invalid value "x" for flag -limit: parse error
//	invalid boolean value "x" for -json: parse error
func flagErrorText(text string) string {
	rest, isNumber := strings.CutPrefix(text, `invalid value "`)
	if at := strings.LastIndex(rest, `" for flag -`); isNumber && at >= 0 {
		name, _, _ := strings.Cut(rest[at+len(`" for flag -`):], ":")
		return fmt.Sprintf("invalid number %q for %s: want a whole number", rest[:at], cmdline.Dashed(name))
	}
	rest, isBool := strings.CutPrefix(text, `invalid boolean value "`)
	if at := strings.LastIndex(rest, `" for -`); isBool && at >= 0 {
		name, _, _ := strings.Cut(rest[at+len(`" for -`):], ":")
		return fmt.Sprintf("invalid value %q for %s: want true or false", rest[:at], cmdline.Dashed(name))
	}
	return text
}

func aboutProgram() string {
	return `Ralph keeps what a coding agent is to do in one file of the repository,
ralph/plan.jsonl. Every change of the plan is one commit of that file alone;
what you have staged, modified or left untracked stays as it is.

Without a command, git ralph prints the state of the plan and starts nothing.
git ralph list, add and done are short for task list, add and done, and git ralph
next for query next.

Where standard output is not a terminal, results are JSON; those of check and
diff only with --json. --text prints text there too, and so does git's own pager
(git -p ralph …).

` + cmdline.ExitStatus(cmdline.ExitCodes()) + `
EXAMPLES
  git ralph init --spec coverage.md
  git ralph task add Write the parser --priority high
  git ralph query next
  git ralph task done`
}
