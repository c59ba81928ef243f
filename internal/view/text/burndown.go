package text

import (
	"fmt"
	"strconv"
	"strings"

	"git-ralph/internal/view"
)

// The size of a burndown.
const (
	burndownWidth = 100 // columns at most
	burndownRows  = 12
)

// Burndown writes a burndown: pending tasks from below, done ones above them, and accepted ones up to the scope.
func Burndown(b view.Burndown, o Options) []Line {
	if len(b.Points) == 0 {
		return []Line{{{Text: "nothing to show"}}}
	}
	top := 1
	for _, p := range b.Points {
		top = max(top, p.Scope())
	}
	left := len(strconv.Itoa(top)) + 1
	width := burndownWidth
	if o.Width > 0 {
		width = min(width, o.Width)
	}
	width = max(width-left-1, 10)
	last := b.Points[len(b.Points)-1]
	lines := []Line{o.cut(Line{
		{Text: o.pick("█", "#") + fmt.Sprintf(" %d pending", last.Pending), Status: view.Ready},
		{Text: ", "},
		{Text: o.pick("▒", "+") + fmt.Sprintf(" %d done", last.Done), Status: view.Done},
		{Text: ", "},
		{Text: o.pick("░", ".") + fmt.Sprintf(" %d accepted", last.Accepted), Status: view.Accepted},
		{Text: fmt.Sprintf(", scope %d", last.Scope())},
	})}
	for row := burndownRows; row > 0; row-- {
		label := ""
		if row == burndownRows {
			label = strconv.Itoa(top)
		}
		l := Line{{Text: fmt.Sprintf("%*s%s", left-1, label, o.pick("│", "|")), Look: Faint}}
		for x := range width {
			p := b.Points[x*(len(b.Points)-1)/(width-1)]
			l = l.with(o.cell(p, (float64(row)-0.5)*float64(top)/burndownRows))
		}
		lines = append(lines, o.cut(l))
	}
	lines = append(lines, o.cut(Line{{Text: fmt.Sprintf("%*s", left-1, "0") + o.pick("└", "+") + strings.Repeat(o.pick("─", "-"), width), Look: Faint}}))
	return append(lines, o.axis(strings.Repeat(" ", left), width, b.From.Format(dayLayout), b.Until.Format(dayLayout)))
}

const dayLayout = "2006-01-02 15:04"

// axis writes the two ends of a time below a drawing.
func (o Options) axis(lead string, width int, from, until string) Line {
	return o.cut(Line{{Text: lead + from + strings.Repeat(" ", max(1, width-len(from)-len(until))) + until, Look: Faint}})
}

// cell returns what is at a height of a point.
func (o Options) cell(p view.BurndownPoint, height float64) Span {
	switch {
	case height <= float64(p.Pending):
		return Span{Text: o.pick("█", "#"), Status: view.Ready}
	case height <= float64(p.Pending+p.Done):
		return Span{Text: o.pick("▒", "+"), Status: view.Done}
	case height <= float64(p.Scope()):
		return Span{Text: o.pick("░", "."), Status: view.Accepted}
	}
	return Span{Text: " "}
}

// with returns a line with one more span, which becomes part of the last one where it looks like that.
func (l Line) with(s Span) Line {
	if last := len(l) - 1; last >= 0 && l[last].Status == s.Status && l[last].Look == s.Look {
		l[last].Text += s.Text
		return l
	}
	return append(l, s)
}
