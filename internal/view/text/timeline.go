package text

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/mask"
	"git-ralph/internal/plan"
	"git-ralph/internal/view"
)

// The columns of a timeline's lanes.
const (
	laneName     = 30
	laneTime     = 60
	laneShortest = 10 // of the time, however narrow the terminal is
)

// Timeline writes a timeline: a line for each lane, with a sign for what happened, and a line where a task was pending or done.
func Timeline(t view.Timeline, o Options) []Line {
	if t.Events == 0 {
		return []Line{{{Text: "nothing to show"}}}
	}
	names, width := laneName, laneTime
	if o.Width > 0 {
		names = min(names, o.Width/3)
		width = min(max(o.Width-names-1, laneShortest), view.TimelineBuckets)
	}
	lines := o.legend()
	for _, lane := range t.Lanes {
		name := lane.ID
		if name == "" {
			name = "not known"
		}
		if lane.Name != "" {
			name += " " + view.OneLine(lane.Name)
		}
		name = displaywidth.TruncateString(mask.PlainWidths(mask.Printable(name)), names, o.ellipsis())
		l := Line{{Text: padded(name, names) + " "}}
		for _, s := range o.laneCells(lane, width) {
			l = l.with(s)
		}
		lines = append(lines, o.cut(l))
	}
	lines = append(lines, o.axis(strings.Repeat(" ", names+1), width, t.From.Format(dayLayout), t.Until.Format(dayLayout)))
	if t.Hidden > 0 {
		lines = append(lines, o.cut(Line{{Text: fmt.Sprintf("%d more lanes, with older events: --limit 0 shows all", t.Hidden), Look: Faint}}))
	}
	return lines
}

// legend says what the signs mean, on as many lines as that needs.
func (o Options) legend() (lines []Line) {
	text := ""
	for _, part := range []string{
		"+ added", o.sign(view.Done) + " done", o.sign(view.Accepted) + " accepted", o.sign(view.Rejected) + " rejected or killed", "- cancelled", "> moved", o.pick("·", ".") + " edited",
	} {
		if o.Width > 0 && text != "" && displaywidth.String(text)+2+displaywidth.String(part) > o.Width {
			lines, text = append(lines, o.cut(Line{{Text: text, Look: Faint}})), ""
		}
		if text != "" {
			text += "  "
		}
		text += part
	}
	return append(lines, o.cut(Line{{Text: text, Look: Faint}}))
}

// laneCells returns what is in each column of a lane.
func (o Options) laneCells(lane view.Lane, width int) []Span {
	cells := make([]Span, width)
	for i := range cells {
		cells[i] = Span{Text: " "}
	}
	for _, s := range lane.Spans {
		for x := s.From * width / view.TimelineBuckets; x < min(width, (s.Until*width+view.TimelineBuckets-1)/view.TimelineBuckets); x++ {
			cells[x] = Span{Text: o.pick("─", "-"), Look: Faint}
			if s.Status == view.Done {
				cells[x] = Span{Text: o.pick("━", "="), Status: view.Done}
			}
		}
	}
	for _, m := range lane.Marks {
		cells[m.Bucket*width/view.TimelineBuckets] = o.mark(m.What)
	}
	return cells
}

// mark returns the sign of an event.
func (o Options) mark(name plan.EventName) Span {
	switch name {
	case plan.EventAdded, plan.EventIssueAdded, plan.EventItemAdded, plan.EventReopened:
		return Span{Text: "+", Status: view.Ready}
	case plan.EventDone:
		return Span{Text: o.sign(view.Done), Status: view.Done}
	case plan.EventAccepted, plan.EventIssueDone:
		return Span{Text: o.sign(view.Accepted)}
	case plan.EventRejected, plan.EventKilled:
		return Span{Text: o.sign(view.Rejected), Status: view.Rejected}
	case plan.EventCancelled, plan.EventItemRemoved, plan.EventDecomposed:
		return Span{Text: "-", Status: view.Blocked}
	case plan.EventItemMoved:
		return Span{Text: ">", Status: view.Claimed}
	}
	return Span{Text: o.pick("·", "."), Status: view.Blocked}
}
