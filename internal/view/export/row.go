package export

import (
	"strings"
	"time"

	"git-ralph/internal/mask"
	"git-ralph/internal/view"
)

// A Row is a task, an issue or an item, as files list it.
type Row struct {
	view.Card
	view.Times
}

// Rows returns the rows of the cards that match: those of the plan, and with left those of what has left it too.
func Rows(d *view.Data, f view.Filter, left bool) (rows []Row) {
	cards, times := d.Cards(), d.Times()
	if left {
		cards = append(cards, d.Left()...)
	}
	for i := range cards {
		if f.Matches(&cards[i]) {
			rows = append(rows, Row{cards[i], times[cards[i].ID()]})
		}
	}
	return rows
}

// plain returns a text without characters that control a terminal or the direction of writing. Line feeds and tabs stay. Each byte that is
// not UTF-8 becomes U+FFFD, as in jsonl.Quote.
func plain(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case mask.IsControl(r):
			return ' '
		}
		return r
	}, text)
}

// oneLine is plain for a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(plain(text)), " ") }

// timeText writes a time in UTC, as plans do, "" where it is not known.
func timeText(t time.Time) string {
	if t = t.UTC(); t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return ""
	}
	return t.Format(time.RFC3339)
}
