package viewcmd

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/viewio"
	"git-ralph/internal/view"
	"git-ralph/internal/view/mermaid"
	"git-ralph/internal/view/svg"
	"git-ralph/internal/view/text"
)

// burndownOptions are the command line of `git ralph burndown`.
type burndownOptions struct {
	since, until string
	spec         string
	format       cmdline.Format
}

// rangeFlags limit a time as those of log do.
func rangeFlags() []cli.Flag {
	return []cli.Flag{
		cmdline.Completes(&cli.StringFlag{Name: "since", Usage: "since `DATE`, in any of git's words, or since a commit"}, cmdline.Revisions),
		cmdline.Completes(&cli.StringFlag{Name: "until", Usage: "until `DATE`, or up to a commit"}, cmdline.Revisions),
	}
}

// NewBurndown is `git ralph burndown`.
func NewBurndown(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "burndown", Usage: "show how many tasks were pending, done and accepted, over time", Description: aboutBurndown,
		Flags: slices.Concat(
			rangeFlags(), []cli.Flag{cmdline.Completes(&cli.StringFlag{Name: "spec", Usage: "only tasks of the spec `FILE`"}, planio.Specs)},
			cmdline.FormatFlags(formatSVG, formatMermaid),
		),
		Action: cmdline.Action(env, func(c *cli.Context) (burndownOptions, error) {
			return burndownOptions{c.String("since"), c.String("until"), c.String("spec"), cmdline.FormatFrom(c)}, nil
		}, burndownOptions.run),
	}
}

func (o burndownOptions) run(ctx context.Context, env *term.Env) error {
	d, err := read(ctx, env, "", true)
	if err != nil {
		return err
	}
	r, err := viewio.In(env, "").Range(ctx, d, o.since, o.until)
	if err != nil {
		return err
	}
	b := d.Burndown(o.spec, r.From, r.Until)
	forms{
		svg:     func() string { return svg.Burndown(b, svg.Options{}) },
		mermaid: func() string { return mermaid.Burndown(b) },
		json:    func(w term.Sink) { writeBurndown(w, b) },
		text:    func(o text.Options) []text.Line { return text.Burndown(b, o) },
	}.print(ctx, env, o.format)
	if len(b.Points) == 0 && o.spec != "" {
		hintNothing(env, d, "tasks", o.spec, "")
	}
	return d.Invalid
}

// writeBurndown writes a burndown for programs.
func writeBurndown(w term.Sink, b view.Burndown) {
	all := term.Object{Sink: w}
	all.StrOrNull("from", timeText(b.From))
	all.StrOrNull("until", timeText(b.Until))
	all.Member("points")
	term.WriteArray(w, len(b.Points), func(i int) {
		p, o := b.Points[i], term.Object{Sink: w}
		o.Str("at", timeText(p.At))
		o.Value("pending", strconv.Itoa(p.Pending))
		o.Value("done", strconv.Itoa(p.Done))
		o.Value("accepted", strconv.Itoa(p.Accepted))
		o.Value("scope", strconv.Itoa(p.Scope()))
		o.End()
	})
	all.End()
}

// timeText writes a time, "" for none.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

const aboutBurndown = `Shows how many tasks were pending, done and accepted over time, from the history of
HEAD. Their sum is the scope: what was ever added, without what was cancelled,
decomposed or replaced. Without flags it goes from the first task to now.

On a terminal it is a drawing. Where standard output is not a terminal it is JSON:
{"from", "until", "points": [{"at", "pending", "done", "accepted", "scope"}]}, 121
points at equal distances; where there was never a task, there are none, and the first
two are null. --format svg draws a picture; mermaid writes a chart.

EXIT STATUS
  0  done, also where there was never a task
  1  there is no repository, or no such commit
  2  the command line is wrong, also where a date is not one
  5  the plan is not valid

EXAMPLES
  git ralph burndown
  git ralph burndown --since "2 weeks ago"
  git ralph burndown --spec api.md --format svg > burndown.svg`
