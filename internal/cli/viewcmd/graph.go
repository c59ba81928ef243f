package viewcmd

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/view"
	"git-ralph/internal/view/dot"
	"git-ralph/internal/view/mermaid"
	"git-ralph/internal/view/svg"
	"git-ralph/internal/view/text"
)

// graphOptions are the command line of `git ralph graph`.
type graphOptions struct {
	view.GraphOptions
	rev    string
	format cmdline.Format
}

// NewGraph is `git ralph graph`.
func NewGraph(env *term.Env) *cli.Command {
	own := []cli.Flag{
		cmdline.Completes(&cli.StringFlag{Name: "task", Usage: "what `ID` waits for and what waits for it, through others too; may be given without --task"}, shownIDs()),
		cmdline.Completes(&cli.StringFlag{Name: "spec", Usage: "only tasks of the spec `FILE`"}, planio.Specs),
		&cli.StringFlag{Name: "filter", Usage: "only what matches `WORDS`, such as \"status:ready has:conflict\""},
		&cli.BoolFlag{Name: "pending", Usage: "only what is still to be done"},
		&cli.BoolFlag{Name: "all", Usage: "tasks that have left the plan too"},
		&cli.BoolFlag{Name: "reduce", Usage: "leave out dependencies that others imply"},
		cmdline.Completes(&cli.StringFlag{Name: "rev", Usage: "read the plan of a commit, `REV`"}, cmdline.Revisions),
	}
	return &cli.Command{
		Name: "graph", Usage: "show what waits for what", ArgsUsage: "[ID]", Description: aboutGraph,
		Flags:        slices.Concat(own, cmdline.FormatFlags(formatSVG, formatDot, formatMermaid)),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(shownIDs())),
		Action:       cmdline.Action(env, graphFrom, graphOptions.run),
	}
}

// shownIDs offers the ids in the plan.
func shownIDs() cmdline.Values {
	return cmdline.Either(planio.TaskIDs(), planio.IssueIDs(), planio.ItemIDs())
}

func graphFrom(c *cli.Context) (graphOptions, error) {
	o := graphOptions{
		GraphOptions: view.GraphOptions{
			Task: c.String("task"), Spec: c.String("spec"), Open: c.Bool("pending"), Left: c.Bool("all"), Reduce: c.Bool("reduce"),
		},
		rev: c.String("rev"), format: cmdline.FormatFrom(c),
	}
	if id := c.Args().First(); id != "" {
		if o.Task != "" {
			return o, cmdline.Usage(c, "two ids: %s and %s; give one of them", o.Task, id)
		}
		o.Task = id
	}
	if o.Open && o.Left {
		return o, cmdline.Usage(c, "--pending and --all exclude each other")
	}
	filter, err := readFilter(c, c.String("filter"))
	o.Filter = filter
	return o, err
}

func (o graphOptions) run(ctx context.Context, env *term.Env) error {
	d, err := read(ctx, env, o.rev, o.Left)
	if err != nil {
		return err
	}
	if o.Task != "" {
		if o.Task, err = idIn(d, o.Task); err != nil {
			return err
		}
	}
	g := d.Graph(o.GraphOptions)
	forms{
		svg:     func() string { return svg.Graph(g, svg.Options{}) },
		dot:     func() string { return dot.Graph(g) },
		mermaid: func() string { return mermaid.Graph(g) },
		json:    func(w term.Sink) { writeGraph(w, g) },
		text:    func(o text.Options) []text.Line { return text.Graph(g, o) },
	}.print(ctx, env, o.format)
	if len(g.Nodes) == 0 && g.Hidden > 0 {
		hintNothing(env, d, "records", o.Spec, "")
	}
	return d.Invalid
}

const aboutGraph = `Shows what waits for what: the tasks of the plan, and the issues and items that something
waits for or that wait. With an id, only that record, what it waits for, and what
waits for it, through others too. Filters combine.

On a terminal it is a tree: each task once, below one of those that it waits for, and
after "←" the others. Where standard output is not a terminal it is JSON: nodes and
edges with the places that they have in the picture. --format svg draws the picture;
dot and mermaid write it for Graphviz and Mermaid, which place the nodes themselves.

--filter takes the words of the board's filter: each is to be part of an id or a
text; ` + "`" + `status:ready` + "`" + `, ` + "`" + `worker:ann` + "`" + `, ` + "`" + `label:api` + "`" + `, ` + "`" + `has:conflict` + "`" + ` and so on ask for a
field, and "-" before a word leaves out what matches.

EXIT STATUS
  0  done, also where nothing matches
  1  there is no repository, commit or record of that name
  2  the command line is wrong
  5  the plan is not valid

EXAMPLES
  git ralph graph
  git ralph graph t-1a2b
  git ralph graph --pending --reduce --format svg > plan.svg
  git ralph graph --filter "label:api -has:claim" --format mermaid
  git ralph graph --all --format dot | dot -Tpdf > plan.pdf`
