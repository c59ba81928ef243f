package mermaid

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/view"
)

// chartPoints is how many points of a burndown are drawn: Mermaid writes each one's time below the chart.
const chartPoints = 12

// Burndown writes a burndown as a chart: its lines are the scope, what is pending or done, and what is pending.
func Burndown(b view.Burndown) string {
	var times, scope, open, pending []string
	layout := timeLayout(b.Until.Sub(b.From))
	for i := range chartPoints + 1 {
		if len(b.Points) == 0 {
			break
		}
		p := b.Points[i*(len(b.Points)-1)/chartPoints]
		times = append(times, `"`+p.At.Format(layout)+`"`)
		scope = append(scope, strconv.Itoa(p.Scope()))
		open = append(open, strconv.Itoa(p.Pending+p.Done))
		pending = append(pending, strconv.Itoa(p.Pending))
	}
	if len(times) == 0 {
		times, scope, open, pending = []string{`"now"`}, []string{"0"}, []string{"0"}, []string{"0"}
	}
	return fmt.Sprintf("xychart-beta\n    title \"Burndown: scope, not accepted, pending\"\n    x-axis [%s]\n    y-axis \"tasks\"\n    line [%s]\n    line [%s]\n    line [%s]\n",
		strings.Join(times, ", "), strings.Join(scope, ", "), strings.Join(open, ", "), strings.Join(pending, ", "))
}

// timeLayout returns how the times of a chart are written. Mermaid draws points with the same text on top of each other.
func timeLayout(span time.Duration) string {
	switch {
	case span < chartPoints*time.Second:
		return "15:04:05.000"
	case span < chartPoints*time.Minute:
		return "15:04:05"
	}
	return "01-02 15:04"
}

// Timeline writes a timeline by task as a Gantt chart: a section for each task, with when it was pending and when it was done. What
// has no such times is a milestone at its last event.
func Timeline(t view.Timeline) string {
	var b strings.Builder
	b.WriteString("gantt\n    dateFormat X\n    axisFormat %m-%d %H:%M\n")
	step := t.Until.Sub(t.From) / view.TimelineBuckets
	at := func(bucket int) int64 { return t.From.Add(step * time.Duration(bucket)).Unix() }
	for _, lane := range t.Lanes {
		name := quote(strings.Join(strings.Fields(lane.ID+" "+lane.Name), " "))
		fmt.Fprintf(&b, "    section %s\n", name)
		for _, s := range lane.Spans {
			word, tag := "pending", "active"
			if s.Status == view.Done {
				word, tag = "done", "done"
			}
			fmt.Fprintf(&b, "    %s :%s, %d, %d\n", word, tag, at(s.From), max(at(s.Until), at(s.From)+1))
		}
		if len(lane.Spans) == 0 && len(lane.Marks) > 0 {
			m := lane.Marks[len(lane.Marks)-1]
			fmt.Fprintf(&b, "    %s :milestone, %d, 0s\n", m.What, m.At.Unix())
		}
	}
	return b.String()
}
