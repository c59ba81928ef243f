package cli

import (
	"io"
	"strings"
	"time"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// Widths, in columns.
const (
	wideTerminal = 110 // from here on the time and the whole address are shown too
	nameWidth    = 24  // a longer id, or name of a branch or author, is cut
)

// show prints the events as a table.
func (h selection) show(env *Env) {
	t := table{fixed: 3} // commit, date and event
	dates := env.datesOf(h.events)
	for i, e := range h.events {
		t.add(
			cell{h.hex(e.Commit)[:shortID], yellow}, cell{dates[i], plainStyle}, cell{eventWord(e), eventStyle(e)},
			cell{shorten(idOf(e), nameWidth), cyan}, cell{shorten(env.authorOf(e), nameWidth), faint},
			cell{shorten(e.Branch, nameWidth), faint}, cell{titleOf(e), plainStyle},
		)
	}
	t.write(env)
	if len(h.events) == 0 {
		env.hint("no matching events")
	}
}

// authorOf returns the author's address, or the part before @ where there is
// no room for more.
func (e *Env) authorOf(event *fold.Event) string {
	if e.Width >= wideTerminal {
		return event.Author
	}
	name, _, _ := strings.Cut(event.Author, "@")
	return name
}

// showLines tells the events without dates, a short line each.
func (h selection) showLines(env *Env) {
	for _, e := range h.events {
		name := string(e.Name)
		if isDecomposition(e) {
			name = eventWord(e)
		}
		words := printable(strings.Join([]string{name, idOf(e), titleOf(e)}, " "))
		if env.Terminal {
			words = displaywidth.TruncateString(words, max(env.Width-shortID-1, minLastColumn), "…")
		}
		io.WriteString(env.Out, env.paint(h.hex(e.Commit)[:shortID], yellow)+" "+words+"\n")
	}
}

// datesOf returns the days of events, with the time where several are of one day or where it is less than a week ago. On a
// narrow terminal this year's are then without the year.
func (e *Env) datesOf(events []*fold.Event) []string {
	const day, dayOfYear, clock, week = "2006-01-02", "01-02", " 15:04", 7 * 24 * time.Hour
	perDay := map[string]int{}
	for _, event := range events {
		perDay[event.Date.Format(day)]++
	}
	now := e.Now()
	dates := make([]string, len(events))
	for i, event := range events {
		date := event.Date.Format(day)
		switch {
		case event.Date.IsZero():
			date = "?"
		case e.Width >= wideTerminal:
			date = event.Date.Format(day + clock)
		case perDay[date] > 1 || now.Sub(event.Date) < week:
			if date = event.Date.Format(day + clock); event.Date.Year() == now.Year() {
				date = event.Date.Format(dayOfYear + clock)
			}
		}
		dates[i] = date
	}
	return dates
}

func eventWord(e *fold.Event) string {
	if isDecomposition(e) {
		return string(plan.EventDecomposed)
	}
	switch e.Name {
	case plan.EventIssueAdded:
		return "added"
	case plan.EventIssueDone:
		return "closed"
	}
	return string(e.Name)
}

// isDecomposition tells whether a task was cancelled because others took its place.
func isDecomposition(e *fold.Event) bool {
	return e.Name == plan.EventCancelled && e.Life != nil && e == e.Life.Outcome && len(e.Life.DecomposedInto) > 0
}

func eventStyle(e *fold.Event) style {
	switch e.Name {
	case plan.EventDone, plan.EventAccepted:
		return green
	case plan.EventRejected, plan.EventKilled:
		return red
	case plan.EventCancelled, plan.EventReopened:
		return yellow
	case plan.EventSpec:
		return strong
	}
	return plainStyle
}

func idOf(e *fold.Event) string {
	if e.Life == nil {
		return ""
	}
	return e.Life.ID
}

// titleOf says what the event is about, and why it happened where that is known.
func titleOf(e *fold.Event) string {
	if e.Life == nil {
		return e.ID
	}
	title := firstLineOf(e.Life.Name)
	switch {
	case e.Successor != "":
		title += " (superseded by " + e.Successor + ")"
	case e.Reason != "":
		title += " (" + e.Reason + ")"
	case e.Lost:
		title += " (done_at orphaned)"
	}
	if e.Trailer {
		title += " [squashed]"
	}
	return title
}

func shorten(text string, width int) string {
	return displaywidth.TruncateString(printable(text), width, "…")
}
