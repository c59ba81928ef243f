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
	branchWidth  = 24  // a longer name of a branch is cut
	narrowBranch = 16  // likewise on a narrow terminal
)

// show tells the events as a table.
func (h selection) show(env *Env) {
	var t table
	for _, e := range h.events {
		row := []cell{{h.hex(e.Commit)[:shortID], yellow}, {env.dateOf(e), plainStyle}, {eventWord(e), eventStyle(e)}, {idOf(e), cyan}}
		width := narrowBranch
		if env.Width >= wideTerminal {
			width = branchWidth
			row = append(row, cell{shorten(e.Author, width), faint})
		}
		t.add(append(row, cell{shorten(e.Branch, width), faint}, cell{titleOf(e), plainStyle})...)
	}
	t.write(env)
	if len(h.events) == 0 {
		env.hint("nothing of that kind happened")
	}
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
