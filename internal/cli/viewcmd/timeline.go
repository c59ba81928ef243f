package viewcmd

import (
	"context"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/viewio"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/history/query"
	"git-ralph/internal/view"
	"git-ralph/internal/view/mermaid"
	"git-ralph/internal/view/svg"
	"git-ralph/internal/view/text"
)

// timelineOptions are the command line of `git ralph timeline`.
type timelineOptions struct {
	since, until       string
	spec, task, author string
	by                 view.LaneBy
	limit              int
	format             cmdline.Format
}

// NewTimeline is `git ralph timeline`.
func NewTimeline(env *term.Env) *cli.Command {
	own := []cli.Flag{
		cmdline.Completes(&cli.StringFlag{Name: "by", Value: string(view.ByTask), Usage: "a lane for each `WHAT`: task or person"}, cmdline.OneOf(string(view.ByTask), string(view.ByPerson))),
		cmdline.Completes(&cli.StringFlag{Name: "task", Usage: "only events of the task, issue or item `ID`, which may be given without --task"}, shownIDs()),
		cmdline.Completes(&cli.StringFlag{Name: "spec", Usage: "only events of tasks of the spec `FILE`"}, planio.Specs),
		&cli.StringFlag{Name: "author", Usage: "only events of the author whose address holds `TEXT`"},
		&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Value: 40, Usage: "at most `N` lanes, 0 for all"},
	}
	return &cli.Command{
		Name: "timeline", Usage: "show what happened when, by task or by person", ArgsUsage: "[ID]", Description: aboutTimeline,
		Flags:        slices.Concat(own, rangeFlags(), cmdline.FormatFlags(formatSVG, formatMermaid)),
		BashComplete: cmdline.CompletesArgs(cmdline.Positions(shownIDs())),
		Action:       cmdline.Action(env, timelineFrom, timelineOptions.run),
	}
}

func timelineFrom(c *cli.Context) (timelineOptions, error) {
	o := timelineOptions{
		since: c.String("since"), until: c.String("until"), spec: c.String("spec"), task: c.String("task"), author: c.String("author"),
		by: view.LaneBy(c.String("by")), limit: c.Int("limit"), format: cmdline.FormatFrom(c),
	}
	if id := c.Args().First(); id != "" {
		if o.task != "" {
			return o, cmdline.Usage(c, "two ids: %s and %s; give one of them", o.task, id)
		}
		o.task = id
	}
	switch {
	case o.by != view.ByTask && o.by != view.ByPerson:
		return o, cmdline.Usage(c, "invalid --by %q: want task or person", o.by)
	case o.limit < 0:
		return o, cmdline.Usage(c, "invalid --limit %d: want 0 or more", o.limit)
	case o.by == view.ByPerson && o.format == formatMermaid:
		return o, cmdline.Usage(c, "invalid format %q with --by person: want text, json or svg", o.format)
	}
	return o, nil
}

func (o timelineOptions) run(ctx context.Context, env *term.Env) error {
	d, err := read(ctx, env, "", true)
	if err != nil {
		return err
	}
	r, err := viewio.In(env, "").Range(ctx, d, o.since, o.until)
	if err != nil {
		return err
	}
	filter := query.Filter{Spec: o.spec, Author: o.author}
	if o.task != "" {
		life, err := planio.LifeOf(d.History, o.task)
		if err != nil {
			return err
		}
		filter.Task = life.ID
	}
	wanted := map[*fold.Event]bool{}
	for _, e := range filter.Select(d.History).Events {
		wanted[e] = r.In(e)
	}
	t := d.Timeline(view.TimelineOptions{
		By: o.by, In: func(e *fold.Event) bool { return wanted[e] }, From: r.From, Until: r.Until, Limit: o.limit,
	})
	forms{
		svg:     func() string { return svg.Timeline(t, svg.Options{}) },
		mermaid: func() string { return mermaid.Timeline(t) },
		json:    func(w term.Sink) { writeTimeline(w, t) },
		text:    func(o text.Options) []text.Line { return text.Timeline(t, o) },
	}.print(ctx, env, o.format)
	if t.Events == 0 && len(d.History.Events) > 0 {
		hintNothing(env, d, "events", o.spec, o.author)
	}
	return d.Invalid
}

// writeTimeline writes a timeline for programs. Its buckets are numbered from 0.
func writeTimeline(w term.Sink, t view.Timeline) {
	all := term.Object{Sink: w}
	all.StrOrNull("from", timeText(t.From))
	all.StrOrNull("until", timeText(t.Until))
	all.Str("by", string(t.By))
	all.Value("events", strconv.Itoa(t.Events))
	all.Value("hidden", strconv.Itoa(t.Hidden))
	all.Member("counts")
	term.WriteList(w, len(t.Counts), func(i int) { w.WriteString(strconv.Itoa(t.Counts[i])) })
	all.Member("lanes")
	term.WriteArray(w, len(t.Lanes), func(i int) { writeLane(w, &t.Lanes[i]) })
	all.End()
}

func writeLane(w term.Sink, l *view.Lane) {
	o := term.Object{Sink: w}
	o.Str("id", l.ID)
	o.StrIf("name", l.Name)
	o.StrIf("status", string(l.Status))
	o.Value("events", strconv.Itoa(l.Events))
	o.StrOrNull("last", timeText(l.Last))
	o.Member("marks")
	term.WriteList(w, len(l.Marks), func(i int) {
		m, mark := l.Marks[i], term.Object{Sink: w}
		mark.Value("bucket", strconv.Itoa(m.Bucket))
		mark.Str("event", string(m.What))
		mark.Value("count", strconv.Itoa(m.Count))
		mark.StrOrNull("at", timeText(m.At))
		mark.End()
	})
	o.End()
}

const aboutTimeline = `Shows what happened when, from the history of HEAD: a lane for each task, issue and item,
those of the newest events first, or one for each person. A lane of a task also shows
when it was pending and when it was done. Filters combine.

The time is divided into 120 buckets: what happened in one is a single mark, of the
event that says most, with a number. On a terminal it is a drawing. Where standard
output is not a terminal it is JSON: {"from", "until", "by", "events", "hidden",
"counts", "lanes": [{"id", "name", "status", "events", "last", "marks": [{"bucket",
"event", "count", "at"}]}]}; the first two are null where nothing happened. --format svg
draws a picture; mermaid writes a Gantt chart, by task alone.

EXIT STATUS
  0  done, also where nothing happened
  1  there is no repository, commit, task, issue or item of that name
  2  the command line is wrong, also where a date is not one
  5  the plan is not valid

EXAMPLES
  git ralph timeline
  git ralph timeline --since yesterday --by person
  git ralph timeline t-1a2b
  git ralph timeline --since v1.0 --limit 0 --format svg > timeline.svg`
