package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/historycmd"
	"git-ralph/internal/cli/mergecmd"
	"git-ralph/internal/cli/plancmd"
	"git-ralph/internal/cli/runcmd"
	"git-ralph/internal/cli/setupcmd"
	"git-ralph/internal/cli/term"
)

// Main runs one command line, args[0] being the program's name, and returns
// its exit code.
func Main(ctx context.Context, args []string, env *term.Env) int {
	out := bufio.NewWriterSize(env.Out, 64<<10)
	env.Tty, env.Out = env.Out, out
	err := run(ctx, args, env)
	if flushed := out.Flush(); err == nil {
		err = withChange(env, term.OutputError(flushed))
	}
	return Report(env, err)
}

func run(ctx context.Context, args []string, env *term.Env) error {
	app := NewApp(env)
	line, err := cmdline.ParseLine(app, args[1:])
	if err != nil {
		return err
	}
	if line.Help {
		env.Page(ctx, func(env *term.Env) { cmdline.WriteHelp(env, line.Path, app) })
		return nil
	}
	return app.RunContext(ctx, line.Arguments())
}

// NewApp makes the command tree. It only names what there is; nothing is
// looked at before a command runs.
func NewApp(env *term.Env) *cli.App {
	return &cli.App{
		Name:        "git-ralph",
		HelpName:    cmdline.Program,
		Usage:       "keep the plan of a coding agent in git",
		Description: aboutProgram(),
		Version:     env.Version,
		Flags: append([]cli.Flag{
			cmdline.Completes(&cli.StringSliceFlag{Name: "C", Usage: "run as if started in `DIR`"}, cmdline.Directories),
			&cli.BoolFlag{Name: "no-color", Usage: "print without colour"},
			&cli.BoolFlag{Name: "version", Aliases: []string{"v"}, Usage: "print the version"},
		}, cmdline.FormatFlags()...),
		Commands:                  commands(env),
		Before:                    func(c *cli.Context) error { return env.Apply(c.StringSlice("C"), c.Bool("no-color")) },
		Action:                    func(c *cli.Context) error { return runRoot(c, env) },
		HideHelp:                  true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		ExitErrHandler:            func(*cli.Context, error) {}, // Main reports errors
		OnUsageError:              asUsageError,
		Writer:                    io.Discard,
		ErrWriter:                 io.Discard,
	}
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

// commands are the verbs and nouns of git ralph, in the order of its help.
func commands(env *term.Env) []*cli.Command {
	return withUsageErrors([]*cli.Command{
		setupcmd.NewInit(env),
		setupcmd.NewInstall(env),
		setupcmd.NewUninstall(env),
		setupcmd.NewDoctor(env),
		runcmd.NewPlan(env),
		runcmd.NewBuild(env),
		setupcmd.NewTrust(env),
		runcmd.NewLogs(env),
		runcmd.NewStatus(env),
		plancmd.NewQuery(env),
		plancmd.NewTask(env),
		plancmd.NewIssue(env),
		plancmd.NewSetSpec(env),
		runcmd.NewPrompt(env),
		plancmd.NewPrime(env),
		plancmd.NewCheck(env),
		plancmd.NewDiff(env),
		historycmd.NewLog(env),
		historycmd.NewShow(env),
		historycmd.NewRestore(env),
		plancmd.NewFmt(env),
		mergecmd.NewTextconv(env),
		mergecmd.NewResolve(env),
		mergecmd.NewMergePreview(env),
		mergecmd.NewMergeDriver(env),
		cmdline.NewCompletion(env),
		cmdline.NewHelp(env),
		setupcmd.NewVersion(env),
		cmdline.NewComplete(env),
		mergecmd.NewHook(env),
	})
}

// withUsageErrors makes every command of a tree report wrong flags as all
// others do.
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

// flagErrorText says in our words why urfave/cli cannot read a flag's value:
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
