package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// program is how users call us.
const program = "git ralph"

// Main runs one command line, args[0] being the program's name, and returns
// its exit code.
func Main(ctx context.Context, args []string, env *Env) int {
	out := bufio.NewWriterSize(env.Out, 64<<10)
	env.tty, env.Out = env.Out, out
	err := run(ctx, args, env)
	if flushed := out.Flush(); err == nil {
		err = outputError(flushed)
	}
	return env.report(err)
}

func run(ctx context.Context, args []string, env *Env) error {
	app := newApp(env)
	line, err := parseLine(app, args[1:])
	if err != nil {
		return err
	}
	if line.help {
		env.page(ctx, func(env *Env) { writeHelp(env, line.path, app) })
		return nil
	}
	return app.RunContext(ctx, line.arguments())
}

// newApp makes the command tree. It only names what there is; nothing is
// looked at before a command runs.
func newApp(env *Env) *cli.App {
	return &cli.App{
		Name:        "git-ralph",
		HelpName:    program,
		Usage:       "keep the plan of a coding agent in git",
		Description: aboutProgram,
		Version:     env.Version,
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "C", Usage: "run as if started in `DIR`"},
			&cli.BoolFlag{Name: "no-color", Usage: "print without colour"},
			&cli.BoolFlag{Name: "version", Aliases: []string{"v"}, Usage: "print the version"},
		}, formatFlags()...),
		Commands:                  commands(env),
		Before:                    func(c *cli.Context) error { return env.apply(c.StringSlice("C"), c.Bool("no-color")) },
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
func runRoot(c *cli.Context, env *Env) error {
	if err := checkFormat(c); err != nil {
		return err
	}
	if c.Bool("version") {
		return versionOptions{format: formatFrom(c)}.run(env)
	}
	return statusOptions{format: formatFrom(c)}.run(c.Context, env)
}

// commands are the verbs and nouns of git ralph, in the order of its help.
func commands(env *Env) []*cli.Command {
	return withUsageErrors([]*cli.Command{
		newInit(env),
		newInstall(env),
		newUninstall(env),
		newDoctor(env),
		newPlan(env),
		newBuild(env),
		newTrust(env),
		newLogs(env),
		newStatus(env),
		newQuery(env),
		newTask(env),
		newIssue(env),
		newSetSpec(env),
		newPrompt(env),
		newPrime(env),
		newCheck(env),
		newDiff(env),
		newLog(env),
		newShow(env),
		newRestore(env),
		newFmt(env),
		newTextconv(env),
		newResolve(env),
		newMergePreview(env),
		newMergeDriver(env),
		newCompletion(env),
		newHelp(env),
		newVersion(env),
		newMan(env),
		newComplete(env),
		newHook(env),
	})
}

// withUsageErrors makes every command of a tree report wrong flags as all
// others do.
func withUsageErrors(tree []*cli.Command) []*cli.Command {
	for _, c := range tree {
		c.OnUsageError, c.HideHelp, c.Before = asUsageError, true, checkLine
		withUsageErrors(c.Subcommands)
	}
	return tree
}

func asUsageError(c *cli.Context, err error, _ bool) error {
	return usage(c, "%s", flagErrorText(err.Error()))
}

// flagErrorText says in our words why urfave/cli cannot read a flag's value:
//
//	invalid value "x" for flag -limit: parse error
//	invalid boolean value "x" for -json: parse error
func flagErrorText(text string) string {
	rest, isNumber := strings.CutPrefix(text, `invalid value "`)
	if at := strings.LastIndex(rest, `" for flag -`); isNumber && at >= 0 {
		name, _, _ := strings.Cut(rest[at+len(`" for flag -`):], ":")
		return fmt.Sprintf("invalid number %q for %s: want a whole number", rest[:at], dashed(name))
	}
	rest, isBool := strings.CutPrefix(text, `invalid boolean value "`)
	if at := strings.LastIndex(rest, `" for -`); isBool && at >= 0 {
		name, _, _ := strings.Cut(rest[at+len(`" for -`):], ":")
		return fmt.Sprintf("invalid value %q for %s: want true or false", rest[:at], dashed(name))
	}
	return text
}

const aboutProgram = `Ralph keeps what a coding agent is to do in one file of the repository,
ralph/plan.jsonl. Every change of the plan is one commit of that file alone;
what you have staged, modified or left untracked stays as it is.

Without a command, git ralph prints the state of the plan and starts nothing.
git ralph list, add and done are short for task list, add and done, and git ralph
next for query next.

Where standard output is not a terminal, results are JSON; those of check and
diff only with --json. --text prints text there too, and so does git's own pager
(git -p ralph …).

EXIT STATUS
  0  done
  1  failed
  2  the command line is wrong
  3  there was nothing to do
  4  another process holds the lock
  5  the plan is not valid

EXAMPLES
  git ralph init --spec coverage.md
  git ralph task add Write the parser --priority high
  git ralph query next
  git ralph task done`
