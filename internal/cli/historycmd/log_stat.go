package historycmd

import (
	"cmp"
	"strconv"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/history/query"
)

// writeStatistics writes {"total": {…}, "by_spec": [{"name", …}], "by_branch", "by_author"}.
func writeStatistics(w term.Sink, s query.Statistics) {
	o := term.Object{Sink: w}
	o.Member("total")
	writeCount(w, s.Total, false)
	for _, g := range s.Groups {
		o.Member("by_" + g.By)
		term.WriteArray(w, len(g.Counts), func(i int) { writeCount(w, g.Counts[i], true) })
	}
	o.End()
}

func writeCount(w term.Sink, c query.Count, named bool) {
	o := term.Object{Sink: w}
	if named {
		o.StrOrNull("name", c.Name)
	}
	for _, f := range fieldsOf(c) {
		o.Value(f.name, strconv.Itoa(f.n))
	}
	o.Value("attempted", strconv.Itoa(c.Tasks))
	o.Value("attempts", strconv.Itoa(c.Attempts))
	o.Value("seconds_to_done", medianText(c.Work))
	o.Value("seconds_to_accepted", medianText(c.Review))
	o.End()
}

// A tally is a count of one kind of event.
type tally struct {
	name string
	n    int
}

// fieldsOf returns the counts of tasks by what happened to them.
func fieldsOf(c query.Count) []tally {
	return []tally{
		{"created", c.Created},
		{"done", c.Done},
		{"accepted", c.Accepted},
		{"rejected", c.Rejected},
		{"cancelled", c.Cancelled},
		{"decomposed", c.Decomposed},
	}
}

func medianText(times []time.Duration) string {
	if seconds, ok := query.Median(times); ok {
		return strconv.FormatInt(seconds, 10)
	}
	return "null"
}

// showStatistics prints a row for all tasks, then the rows of each group.
func showStatistics(env *term.Env, s query.Statistics) {
	var t term.Table
	names := longestName
	heads := []string{"", "created", "done", "accepted", "rejected", "cancelled", "decomposed", "tries", "to done", "to accepted"}
	switch {
	case !env.Terminal:
	case env.Width < wideTerminal:
		names = narrowName
		heads = []string{"", "new", "done", "acc", "rej", "canc", "dec", "try", "to done", "to acc"}
	default:
		names = min(names, env.Width-figuresWidth)
	}
	var head []term.Cell
	for _, text := range heads {
		head = append(head, term.Cell{Text: text, Style: term.Strong})
	}
	t.Add(head...)
	addCount(&t, s.Total, "all", names)
	for _, g := range s.Groups {
		t.Add(term.Cell{Text: "by " + g.By, Style: term.Faint})
		for _, c := range g.Counts {
			addCount(&t, c, cmp.Or(c.Name, "(none)"), names)
		}
	}
	t.Write(env)
}

// Widths of the table of counts, in columns.
const (
	longestName  = 48 // of a spec, branch or author
	narrowName   = 20 // likewise on a narrow terminal
	figuresWidth = 89 // of all other columns
)

func addCount(t *term.Table, c query.Count, name string, width int) {
	row := []term.Cell{{Text: shorten(name, width), Style: term.Cyan}}
	for _, f := range fieldsOf(c) {
		row = append(row, term.Cell{Text: strconv.Itoa(f.n), Style: term.PlainStyle})
	}
	tries := ""
	if c.Tasks > 0 {
		tries = strconv.FormatFloat(float64(c.Attempts)/float64(c.Tasks), 'f', 1, 64)
	}
	t.Add(append(row, term.Cell{Text: tries, Style: term.PlainStyle}, term.Cell{Text: shortTime(c.Work), Style: term.PlainStyle}, term.Cell{Text: shortTime(c.Review), Style: term.PlainStyle})...)
}

// shortTime returns a median in its largest unit.
func shortTime(times []time.Duration) string {
	seconds, ok := query.Median(times)
	if !ok {
		return ""
	}
	for _, unit := range [...]struct {
		seconds int64
		name    string
	}{{86400, "d"}, {3600, "h"}, {60, "m"}} {
		if seconds >= unit.seconds {
			return strconv.FormatFloat(float64(seconds)/float64(unit.seconds), 'f', 1, 64) + unit.name
		}
	}
	return strconv.FormatInt(seconds, 10) + "s"
}
