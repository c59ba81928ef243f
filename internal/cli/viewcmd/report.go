package viewcmd

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/viewio"
	"git-ralph/internal/view/export"
)

// reportOptions say which time a report is about.
type reportOptions struct{ since, until string }

func NewReport(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "report", Usage: "report what happened, by task, people and cost, in Markdown", Description: aboutReport,
		Flags: []cli.Flag{
			cmdline.Completes(&cli.StringFlag{Name: "since", Value: "1 day ago", Usage: "what happened since `DATE`, in any of git's words, or since a commit"}, cmdline.Revisions),
			cmdline.Completes(&cli.StringFlag{Name: "until", Usage: "what happened until `DATE`, or up to a commit"}, cmdline.Revisions),
			&cli.BoolFlag{Name: "all", Usage: "from the beginning"},
		},
		Action: cmdline.Action(env, reportFrom, reportOptions.run),
	}
}

func reportFrom(c *cli.Context) (reportOptions, error) {
	o := reportOptions{c.String("since"), c.String("until")}
	if c.Bool("all") {
		if c.IsSet("since") {
			return o, cmdline.Usage(c, "--all and --since both say when the report begins")
		}
		o.since = ""
	}
	return o, nil
}

func (o reportOptions) run(ctx context.Context, env *term.Env) error {
	w := viewio.In(env, "")
	d, err := reported(env)(w.All(ctx))
	if err != nil {
		return err
	}
	r, err := w.Report(ctx, d, o.since, o.until)
	if err != nil {
		return err
	}
	text := export.Report(title(d), r)
	env.Page(ctx, func(env *term.Env) { io.WriteString(env.Out, text) })
	return d.Invalid
}

const aboutReport = `Prints what happened to the tasks of the plan, in Markdown: a summary, what waits
for a person, what became of each task and why, who did how much, and the runs of
agents with their time, tokens and cost. Without flags it is about the last day.

--since and --until take what they take in log: a date in any of git's words, or a
commit. Events are those of HEAD's history. Runs are those that the journals of this
clone's worktrees still have (docs/loop.md, "The journal"); a cost is known where the
agent reports it. Nothing is changed, and no network is used.

EXIT STATUS
  0  done, also where nothing happened
  1  there is no repository
  2  the command line is wrong, also where a date is not one
  5  the plan is not valid

EXAMPLES
  git ralph report
  git ralph report --since yesterday.noon
  git ralph report --since v1.0 --until v1.1 > report.md`
