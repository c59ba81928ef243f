package cli

import (
	"strings"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/history/fold"
	"git-ralph/internal/plan"
)

// Widths, in columns.
const (
	wideTerminal = 110 // from here on time and author are told too
	nameWidth    = 24  // a longer id, or name of a branch or author, is cut
	leastName    = 8   // so much of it is shown on a terminal however narrow
	narrowRest   = 38  // commit, day, event and the gaps
	wideRest     = 46  // commit, time, event and the gaps
)

// show tells the events as a table.
func (h selection) show(env *Env) {
	var t table
	ids, names := h.widths(env)
	for _, e := range h.events {
		row := []cell{{h.hex(e.Commit)[:shortID], yellow}, {env.dateOf(e), plainStyle}, {eventWord(e), eventStyle(e)}, {shorten(idOf(e), ids), cyan}}
		if env.Width >= wideTerminal {
			row = append(row, cell{shorten(e.Author, names), faint})
		}
		t.add(append(row, cell{shorten(e.Branch, names), faint}, cell{titleOf(e), plainStyle})...)
	}
	t.write(env)
	if len(h.events) == 0 {
		env.hint("nothing of that kind happened")
	}
}

// widths returns how wide ids may be, and the names of branches and authors, so that
// some of the title still fits on the line.
func (h selection) widths(env *Env) (ids, names int) {
	room, shares := env.Width-narrowRest-minLastColumn, 1
	if env.Width >= wideTerminal {
		room, shares = env.Width-wideRest-minLastColumn, 2
	}
	longest := 0
	for _, e := range h.events {
		longest = max(longest, displaywidth.String(printable(idOf(e))))
	}
	ids = min(longest, nameWidth, max(room/(shares+1), leastName))
	return ids, min(nameWidth, max((room-ids)/shares, leastName))
}

// showLines tells the events without dates, a short line each.
func (h selection) showLines(env *Env) {
	for _, e := range h.events {
		words := strings.Join([]string{string(e.Name), idOf(e), titleOf(e)}, " ")
		env.Out.Write([]byte(env.paint(h.hex(e.Commit)[:shortID], yellow) + " " + printable(words) + "\n"))
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
	title, _, _ := strings.Cut(e.Life.Name, "\n")
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
