package cli

import (
	"io"
	"strings"

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
	for _, e := range h.events {
		t.add(
			cell{h.hex(e.Commit)[:shortID], yellow}, cell{env.dateOf(e), plainStyle}, cell{eventWord(e), eventStyle(e)},
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
		words := printable(strings.Join([]string{string(e.Name), idOf(e), titleOf(e)}, " "))
		if env.Terminal {
			words = displaywidth.TruncateString(words, max(env.Width-shortID-1, minLastColumn), "…")
		}
		io.WriteString(env.Out, env.paint(h.hex(e.Commit)[:shortID], yellow)+" "+words+"\n")
	}
}

func (e *Env) dateOf(event *fold.Event) string {
	if event.Date.IsZero() {
		return "?"
	}
	if e.Width >= wideTerminal {
		return event.Date.Format("2006-01-02 15:04")
	}
	return event.Date.Format("2006-01-02")
}

func eventWord(e *fold.Event) string {
	switch e.Name {
	case plan.EventIssueAdded:
		return "added"
	case plan.EventIssueDone:
		return "closed"
	}
	return string(e.Name)
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
