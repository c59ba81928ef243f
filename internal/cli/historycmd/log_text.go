package historycmd

import (
	"io"
	"strings"
	"time"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// Widths, in columns.
const (
	wideTerminal = 110 // from this width on the time and the whole address are shown too
	nameWidth    = 24  // a longer id, or name of a branch or author, is cut
)

// show prints the events as a table.
func (h selection) show(env *term.Env) {
	t := term.Table{Fixed: 3} // commit, date and event
	dates := datesOf(env, h.Events)
	for i, e := range h.Events {
		t.Add(
			term.Cell{Text: h.hex(e.Commit)[:planio.ShortID], Style: term.Yellow}, term.Cell{Text: dates[i], Style: term.PlainStyle}, term.Cell{Text: e.Word(), Style: eventStyle(e)},
			term.Cell{Text: shorten(idOf(e), nameWidth), Style: term.Cyan}, term.Cell{Text: shorten(authorOf(env, e), nameWidth), Style: term.Faint},
			term.Cell{Text: shorten(e.Branch, nameWidth), Style: term.Faint}, term.Cell{Text: titleOf(e), Style: term.PlainStyle},
		)
	}
	t.Write(env)
	if len(h.Events) == 0 {
		env.Hint("no matching events")
	}
}

// authorOf returns the author's address, or the part before @ where there is
// no room for more.
func authorOf(e *term.Env, event *fold.Event) string {
	if e.Width >= wideTerminal {
		return event.Author
	}
	name, _, _ := strings.Cut(event.Author, "@")
	return name
}

// showLines prints the events without dates, a short line each.
func (h selection) showLines(env *term.Env) {
	for _, e := range h.Events {
		words := term.Printable(strings.Join([]string{e.Word(), idOf(e), titleOf(e)}, " "))
		if env.Terminal {
			words = displaywidth.TruncateString(words, max(env.Width-planio.ShortID-1, term.MinLastColumn), "…")
		}
		io.WriteString(env.Out, env.Paint(h.hex(e.Commit)[:planio.ShortID], term.Yellow)+" "+words+"\n")
	}
}

// datesOf returns the dates of events: the day, and the time where several events are of one day or the event is less than a
// week old. On a narrow terminal, dates of this year with a time have no year.
func datesOf(e *term.Env, events []*fold.Event) []string {
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

func eventStyle(e *fold.Event) term.Style {
	switch e.Name {
	case plan.EventDone, plan.EventAccepted:
		return term.Green
	case plan.EventRejected, plan.EventKilled:
		return term.Red
	case plan.EventCancelled, plan.EventReopened:
		return term.Yellow
	case plan.EventSpec:
		return term.Strong
	}
	return term.PlainStyle
}

func idOf(e *fold.Event) string {
	if e.Life == nil {
		return ""
	}
	return e.Life.ID
}

// titleOf returns what the event is about, and why it happened where that is known.
func titleOf(e *fold.Event) string {
	if e.Life == nil {
		return e.ID
	}
	title := term.FirstLineOf(e.Life.Name)
	switch {
	case e.Successor != "":
		title += " (superseded by " + e.Successor + ")"
	case e.Reason != "":
		title += " (" + e.Reason + ")"
	case e.Orphaned:
		title += " (done_at orphaned)"
	}
	if e.TrailerOnly {
		title += " [squashed]"
	}
	return title
}

func shorten(text string, width int) string {
	return displaywidth.TruncateString(term.Printable(text), width, "…")
}
