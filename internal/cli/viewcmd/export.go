package viewcmd

import (
	"context"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/view"
	"git-ralph/internal/view/export"
)

// The formats of files.
const (
	formatMarkdown cmdline.Format = "md"
	formatCSV      cmdline.Format = "csv"
	formatCalendar cmdline.Format = "ics"
)

// exportOptions say what to export.
type exportOptions struct {
	format cmdline.Format
	filter view.Filter
	all    bool
	rev    string
}

func NewExport(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "export", Usage: "print the plan as Markdown, CSV, JSON or a calendar", ArgsUsage: "[WORD…]", Description: aboutExport,
		Flags: []cli.Flag{
			cmdline.FormatFlag(formatMarkdown, formatCSV, cmdline.FormatJSON, formatCalendar),
			&cli.BoolFlag{Name: "all", Usage: "also what has left the plan: accepted, cancelled and so on"},
			cmdline.Completes(&cli.StringFlag{Name: "rev", Usage: "export the plan of a commit, `REV`"}, cmdline.Revisions),
		},
		Action: cmdline.Action(env, func(c *cli.Context) (exportOptions, error) {
			filter, err := readFilter(c, strings.Join(c.Args().Slice(), " "))
			return exportOptions{cmdline.FormatFrom(c), filter, c.Bool("all"), c.String("rev")}, err
		}, exportOptions.run),
	}
}

func (o exportOptions) run(ctx context.Context, env *term.Env) error {
	d, err := read(ctx, env, o.rev, true)
	if err != nil {
		return err
	}
	rows, text := export.Rows(d, o.filter, o.all), ""
	if len(rows) == 0 && !o.filter.Empty() {
		hintNothing(env, d, "records", "", "")
	}
	if o.format == cmdline.FormatJSON {
		writeJSON(env, d, o.filter, o.all)
		return d.Invalid
	}
	switch o.format {
	case formatCSV:
		text = export.CSV(rows)
	case formatCalendar:
		text = export.Calendar(title(d), rows)
	default:
		text = export.Markdown(title(d), rows)
	}
	env.Page(ctx, func(env *term.Env) { io.WriteString(env.Out, text) })
	return d.Invalid
}

// title names a plan.
func title(d *view.Data) string {
	if spec := d.Plan.Spec(); spec != "" {
		return "Plan of " + spec
	}
	return "Plan"
}

const aboutExport = `Prints tasks, issues and items for other programs. Without words, all that are in
the plan; with words, those that match: each word is to be in an id or a text, in
capitals or not. status:ready, worker:ann, spec:api.md, id:t-1a, kind:issue,
label:ui, priority:high, role:validator, item:GH-42, state:backlog and has:conflict
(or rejections, person, claim, check) ask for a field. -WORD leaves out what matches.

  md    a list for people, below a heading for each status (the default)
  csv   a line each, with a header; for spreadsheets, a text that begins as a
        formula does gets an apostrophe in front
  json  as query prints it, with "items"; with --all also "left":
        [{"status", "created", "done", "done_by", "ended", "record"}]
  ics   to-dos of a calendar, with the same UID each time

docs/views.md describes the columns. Nothing is changed, and no network is used.

EXIT STATUS
  0  done, also where nothing matched
  1  there is no repository, or no such commit
  2  the command line is wrong
  5  the plan is not valid

EXAMPLES
  git ralph export
  git ralph export --format csv --all > plan.csv
  git ralph export --format ics -- -status:blocked > plan.ics
  git ralph export --format json status:ready priority:high`
