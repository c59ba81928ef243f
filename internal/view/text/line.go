package text

import (
	"strings"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/mask"
	"git-ralph/internal/view"
)

// A Line is a line of a terminal.
type Line []Span

// A Span is a piece of a line. It is printable.
type Span struct {
	Text   string
	Status view.Status // whose colour it has, "" for none
	Look   Look
}

// A Look says how a span looks besides its colour.
type Look int

// The looks.
const (
	Plain Look = iota
	Strong
	Faint
)

// String returns the text of a line without the blanks at its end.
func (l Line) String() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return strings.TrimRight(b.String(), " ")
}

// Options say what a terminal can show.
type Options struct {
	Width int  // in columns, 0 for no limit
	ASCII bool // nothing else, except in texts of the plan
}

// cut returns a line that fits into the width.
func (o Options) cut(l Line) Line {
	if o.Width <= 0 {
		return l
	}
	room := o.Width
	for i, s := range l {
		if w := displaywidth.String(s.Text); w <= room {
			room -= w
			continue
		}
		l[i].Text = displaywidth.TruncateString(s.Text, room, o.ellipsis())
		if displaywidth.String(l[i].Text) > room {
			l[i].Text = ""
		}
		return l[:i+1]
	}
	return l
}

func (o Options) ellipsis() string {
	if o.ASCII {
		return "..."
	}
	return "…"
}

// pick returns the first text, or the second one where there is only ASCII.
func (o Options) pick(unicode, ascii string) string {
	if o.ASCII {
		return ascii
	}
	return unicode
}

// padded returns a printable text that is so many columns wide at least.
func padded(s string, width int) string {
	s = mask.Printable(s)
	return s + strings.Repeat(" ", max(0, width-displaywidth.String(s)))
}

// sign returns the sign of a status.
func (o Options) sign(s view.Status) string { return o.pick(s.Sign(), s.ASCIISign()) }
