package workplancmd

import (
	"context"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/workplan"
)

// A Gate connects changes of a workplan with a system that shows its state elsewhere, such as a State Hub. Where there is none it
// is nil. An error of a Gate that must not stop the work is its own to queue and report.
type Gate interface {
	// TaskChanged is called after the status of a task was changed, and committed.
	TaskChanged(ctx context.Context, f *workplan.File, task workplan.Task) error
	// Closing is called before the workplan is set to done. An error ends close.
	Closing(ctx context.Context, f *workplan.File, summary string) error
}

// Parts are what the commands need of others.
type Parts struct {
	Gate  Gate // may be nil
	Claim Claimer
	More  []*cli.Command // further subcommands
}

// New returns `git ralph workplan` with its subcommands.
func New(env *term.Env, parts Parts) *cli.Command {
	return &cli.Command{
		Name: "workplan", Usage: "work off a Markdown file with tasks in it", Description: aboutWorkplan,
		Subcommands: append([]*cli.Command{
			newCheck(env), newStatus(env), newList(env), newNext(env), newNew(env),
			newStartTask(env, parts.Gate), newDoneTask(env, parts.Gate), newClose(env, parts.Gate),
			newImport(env, parts.Claim), newExport(env),
		}, parts.More...),
	}
}

const aboutWorkplan = `A workplan is a Markdown file that says what is to be done, and how far it is: its
frontmatter has id, title and status (active, done or paused), and each fenced code
block with the info string task has the id and status (todo, in_progress or done) of
one task. docs/workplans.md describes it. The plan, ralph/plan.jsonl, is something
else, and is not needed.

EXIT STATUS
  0  done
  2  the command line is wrong

EXAMPLES
  git ralph workplan status workplans/WP-0001-parser.md
  git ralph workplan done-task workplans/WP-0001-parser.md WP-0001-T01`

// FileArgument offers files.
func FileArgument() cli.BashCompleteFunc {
	return cmdline.CompletesArgs(cmdline.Positions(cmdline.Files))
}

// FileFrom reads the argument of a command on one file.
func FileFrom(c *cli.Context) (string, error) {
	if c.Args().Len() != 1 {
		return "", cmdline.Usage(c, "missing file: want the path of a workplan")
	}
	return c.Args().First(), nil
}
