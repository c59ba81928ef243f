package board

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/mask"
)

// A row is one line of the screen, drawn from left to right. It alone writes to a frame: what it is given is made printable, cut and
// measured by what people see as characters, in the way that the terminal measures them.
type row struct {
	text   strings.Builder
	used   int // columns
	method ansi.Method
	ascii  *strings.Replacer // of the board's own signs; nil: they are shown
	under  style             // the background of what follows
}

func (m *model) newRow() *row { return &row{method: m.method, ascii: m.ascii} }

// add adds a text of at most width columns.
func (r *row) add(text string, width int, s style) {
	if width <= 0 || text == "" {
		return
	}
	text = shownText(r.method, text)
	n := r.method.StringWidth(text)
	if n > width {
		text = r.method.Truncate(text, width, "…")
		n = r.method.StringWidth(text)
	}
	r.used += n
	if s = s.and(r.under); s == plain {
		r.text.WriteString(text)
		return
	}
	r.text.WriteString("\x1b[" + string(s) + "m")
	r.text.WriteString(text)
	r.text.WriteString("\x1b[m")
}

// shownText returns a text as a terminal is given it: printable, and with what the terminal measures as we do. One that says that it measures
// what people see as a character, and not single ones, gets all of it.
func shownText(method ansi.Method, text string) string {
	if text = term.Printable(text); method == ansi.WcWidth {
		return mask.PlainWidths(text)
	}
	return text
}

// skip adds blanks.
func (r *row) skip(width int) {
	if width <= 0 {
		return
	}
	blanks := strings.Repeat(" ", width)
	if r.under != plain {
		blanks = "\x1b[" + string(r.under) + "m" + blanks + "\x1b[m"
	}
	r.text.WriteString(blanks)
	r.used += width
}

// to adds blanks up to a column.
func (r *row) to(column int) { r.skip(column - r.used) }

func (r *row) String() string {
	if r.ascii != nil {
		return r.ascii.Replace(r.text.String())
	}
	return r.text.String()
}

// A span is a piece of text in one style.
type span struct {
	text  string
	style style
}

// wrap breaks spans into lines of at most width columns: at line breaks, at blanks, and where a word is longer than a line between two
// characters. The lines after the first are indented.
func wrap(method ansi.Method, width, indent int, spans ...span) [][]span {
	w := wrapper{method: method, width: max(width, 1), indent: min(indent, max(width-8, 0))}
	for _, s := range spans {
		for i, line := range strings.Split(s.text, "\n") {
			if i > 0 {
				w.end()
			}
			w.add(shownText(method, strings.TrimSuffix(line, "\r")), s.style)
		}
	}
	w.end()
	return w.lines
}

// A wrapper collects lines.
type wrapper struct {
	method        ansi.Method
	width, indent int
	lines         [][]span
	line          []span
	used          int // columns of the line, with its indentation
}

// add adds a printable text without line breaks.
func (w *wrapper) add(text string, s style) {
	for text != "" {
		word := text
		if i := strings.IndexByte(text[1:], ' '); i >= 0 {
			word = text[:i+1] // with the blank before it
		}
		text = text[len(word):]
		n := w.method.StringWidth(word)
		if fits := n <= w.width-w.indent; fits && w.used+n > w.width && len(w.line) > 0 {
			w.end()
			word = strings.TrimLeft(word, " ")
		}
		for w.used+w.method.StringWidth(word) > w.width {
			part := w.method.Truncate(word, w.width-w.used, "")
			if part == "" && len(w.line) > 0 { // its next character is wider than what is left
				w.end()
				continue
			}
			if part == "" { // and than the line
				break
			}
			w.append(part, s)
			w.end()
			word = word[len(part):]
		}
		w.append(word, s)
	}
}

func (w *wrapper) append(text string, s style) {
	if text == "" {
		return
	}
	if len(w.line) == 0 && w.used > 0 {
		w.line = append(w.line, span{strings.Repeat(" ", w.used), plain})
	}
	w.line, w.used = append(w.line, span{text, s}), w.used+w.method.StringWidth(text)
}

func (w *wrapper) end() { w.lines, w.line, w.used = append(w.lines, w.line), nil, w.indent }
