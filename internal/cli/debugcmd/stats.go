package debugcmd

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/debuglog"
)

// statsOptions say which events to count.
type statsOptions struct {
	since  string
	by     debuglog.Grouping
	format cmdline.Format
}

func newStats(env *term.Env) *cli.Command {
	return &cli.Command{
		Name: "stats", Usage: "count calls, errors and durations", Description: aboutStats,
		Flags: append([]cli.Flag{
			sinceFlag("7d"),
			cmdline.Completes(&cli.StringFlag{Name: "by", Value: string(debuglog.ByTool), Usage: "`WHAT` to group by: tool, category or day"}, cmdline.OneOf(debuglog.Groupings()...)),
		}, cmdline.FormatFlags()...),
		Action: cmdline.Action(env, statsFrom, statsOptions.run),
	}
}

func statsFrom(c *cli.Context) (statsOptions, error) {
	o := statsOptions{c.String("since"), debuglog.Grouping(c.String("by")), cmdline.FormatFrom(c)}
	if !slices.Contains(debuglog.Groupings(), string(o.by)) {
		return o, cmdline.Usage(c, "invalid --by %q: want %s", o.by, strings.Join(debuglog.Groupings(), ", "))
	}
	return o, nil
}

func (o statsOptions) run(ctx context.Context, env *term.Env) error {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return err
	}
	since, err := planio.ReadSince(ctx, env, st, o.since)
	if err != nil {
		return err
	}
	total, groups, days, err := debuglog.Of(st.Repo().CommonDir()).Statistics(since.Time, o.by, time.Local)
	if err != nil {
		return err
	}
	if o.format.Json(env) {
		env.WriteJSON(func(w term.Sink) { writeStats(w, o, since.Time, total, groups, days) })
		return nil
	}
	if total.Calls == 0 {
		return &cmdline.NothingError{Text: "the debug log has no events since " + o.since, Hint: "RALPH_DEBUG=true records what git ralph does from now on"}
	}
	env.Page(ctx, func(env *term.Env) { showStats(env, o, total, groups, days) })
	return nil
}

// writeStats writes {"since", "by", "total": {…}, "groups": [{"name", …}], "days": [{"name", …}]}.
func writeStats(w term.Sink, o statsOptions, since time.Time, total debuglog.Statistics, groups, days []debuglog.Statistics) {
	out := term.Object{Sink: w}
	out.Str("since", since.UTC().Format(time.RFC3339))
	out.Str("by", string(o.by))
	out.Member("total")
	writeFigures(w, total)
	out.Member("groups")
	term.WriteArray(w, len(groups), func(i int) { writeFigures(w, groups[i]) })
	out.Member("days")
	term.WriteArray(w, len(days), func(i int) { writeFigures(w, days[i]) })
	out.End()
}

func writeFigures(w term.Sink, s debuglog.Statistics) {
	out := term.Object{Sink: w}
	out.StrIf("name", s.Name)
	out.Value("calls", strconv.Itoa(s.Calls))
	out.Value("errors", strconv.Itoa(s.Errors))
	out.Value("error_rate", rate(s.ErrorRate()))
	out.Value("success_rate", rate(1-s.ErrorRate()))
	out.Value("mean_ms", milliseconds(s.Mean))
	out.Value("p95_ms", milliseconds(s.P95))
	out.End()
}

func rate(r float64) string { return strconv.FormatFloat(r, 'f', 4, 64) }

func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', -1, 64)
}

// showStats prints a row for each group, one for all, and how many errors each day had.
func showStats(env *term.Env, o statsOptions, total debuglog.Statistics, groups, days []debuglog.Statistics) {
	t := term.Table{}
	var head []term.Cell
	for _, text := range []string{string(o.by), "calls", "errors", "error rate", "success", "mean", "p95"} {
		head = append(head, term.Cell{Text: text, Style: term.Strong})
	}
	t.Add(head...)
	total.Name = "all"
	for _, s := range append(groups, total) {
		style := term.PlainStyle
		if s.Errors > 0 {
			style = term.Red
		}
		t.Add(term.Cell{Text: s.Name, Style: term.Cyan}, term.Cell{Text: strconv.Itoa(s.Calls)}, term.Cell{Text: strconv.Itoa(s.Errors), Style: style},
			term.Cell{Text: percent(s.ErrorRate())}, term.Cell{Text: percent(1 - s.ErrorRate())}, term.Cell{Text: short(s.Mean)}, term.Cell{Text: short(s.P95)})
	}
	t.Write(env)
	days = withGaps(days)
	count := func(of func(debuglog.Statistics) int) (counts []int) {
		for _, d := range days {
			counts = append(counts, of(d))
		}
		return counts
	}
	env.Print("")
	span := days[0].Name + " to " + days[len(days)-1].Name
	env.Print("calls   " + sparkline(count(func(s debuglog.Statistics) int { return s.Calls })) + "  " + span)
	env.Print("errors  " + sparkline(count(func(s debuglog.Statistics) int { return s.Errors })))
}

func percent(r float64) string { return strconv.FormatFloat(100*r, 'f', 1, 64) + "%" }

// short returns a duration with few digits.
func short(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return fmt.Sprintf("%.1fms", float64(d.Microseconds())/1000)
}

// sparkline draws counts, a character each: the highest one is full, and 0 is a dot.
func sparkline(counts []int) string {
	bars := []rune("▁▂▃▄▅▆▇█")
	highest := max(slices.Max(counts), 1)
	var line strings.Builder
	for _, n := range counts {
		if n == 0 {
			line.WriteRune('·')
			continue
		}
		line.WriteRune(bars[(n*len(bars)-1)/highest])
	}
	return line.String()
}

// maxDays is how many days are shown.
const maxDays = 60

// withGaps returns days with those between them on which nothing happened, at most the last maxDays.
func withGaps(days []debuglog.Statistics) []debuglog.Statistics {
	if len(days) == 0 {
		return nil
	}
	byName := map[string]debuglog.Statistics{}
	for _, d := range days {
		byName[d.Name] = d
	}
	first, last := days[0].Name, days[len(days)-1].Name
	at, _ := time.Parse(debuglog.DayFormat, last) // it was formatted so
	var all []debuglog.Statistics
	for name := last; name >= first && len(all) < maxDays; {
		d := byName[name]
		d.Name = name
		all = append(all, d)
		at = at.AddDate(0, 0, -1)
		name = at.Format(debuglog.DayFormat)
	}
	slices.Reverse(all)
	return all
}

const aboutStats = `Counts what the debug log recorded: calls, errors, and how long calls took, the mean
and the duration that 95 of 100 calls did not exceed. By tool, only calls of tools
count. The lines below the table are days, from the first to the last.

Where standard output is not a terminal it is JSON: {"since", "by", "total", "groups",
"days"}, with {"name", "calls", "errors", "error_rate", "success_rate", "mean_ms",
"p95_ms"} each.

EXIT STATUS
  0  done
  1  it cannot be done
  2  the command line is wrong
  3  there are no such events; as JSON they are counted all the same

EXAMPLES
  git ralph debug stats
  git ralph debug stats --by day --since "last monday"`
