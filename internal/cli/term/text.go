package term

import (
	"fmt"
	"io"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// A Style is how text for people looks on a terminal with colour.
type Style string

// The styles, as parameters of the terminal's SGR sequence.
const (
	PlainStyle Style = ""
	Strong     Style = "1"
	Faint      Style = "2"
	Red        Style = "31"
	Green      Style = "32"
	Yellow     Style = "33"
	Magenta    Style = "35"
	Cyan       Style = "36"
)

// A Cell is a piece of text for people. It is made printable when it is
// written.
type Cell struct {
	Text  string
	Style Style
}

// A Table is text in columns that are as wide as their widest cell. On a terminal
// columns are cut so that a row fits, the widest first; the last column is cut
// at the edge, or wrapped there.
type Table struct {
	Rows  [][]Cell
	Fixed int // how many columns, from the left, are never cut
	Wrap  bool
	Width int // of a row; where it is 0 that of the terminal, without a limit elsewhere
}

func (t *Table) Add(row ...Cell) { t.Rows = append(t.Rows, row) }

// Gap is the space between columns.
const Gap = "  "

// Write prints the table. Columns that are empty in every row are left out.
func (t *Table) Write(env *Env) {
	limit := t.Width
	if limit == 0 && env.Terminal {
		limit = env.Width
	}
	widths := t.widths()
	if limit > 0 {
		t.shrink(widths, limit)
	}
	for _, row := range t.Rows {
		t.writeRow(env, row, widths, limit)
	}
}

func (t *Table) widths() []int {
	var widths []int
	for _, row := range t.Rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], displaywidth.String(Printable(c.Text)))
		}
	}
	return widths
}

// shrink makes columns narrower, the widest first, until a row fits into limit
// columns with MinLastColumn of the last one.
func (t *Table) shrink(widths []int, limit int) {
	if len(widths) < 2 {
		return
	}
	last := len(widths) - 1
	room := limit - min(widths[last], MinLastColumn)
	for i, w := range widths[:last] {
		widths[i] = min(w, limit)
		if w > 0 {
			room -= widths[i] + len(Gap)
		}
	}
	for room < 0 {
		widest := -1
		for i := t.Fixed; i < last; i++ {
			if widest < 0 || widths[i] > widths[widest] {
				widest = i
			}
		}
		if widest < 0 || widths[widest] <= narrowestColumn {
			return
		}
		widths[widest]--
		room++
	}
}

// writeRow prints a row, limit columns wide at most unless that is 0.
func (t *Table) writeRow(env *Env, row []Cell, widths []int, limit int) {
	var line strings.Builder
	used := 0
	for i, c := range row {
		if widths[i] == 0 {
			continue
		}
		text := Printable(c.Text)
		if i == len(row)-1 {
			line.WriteString(t.lastCell(env, text, c.Style, used, limit))
			break
		}
		text = displaywidth.TruncateString(text, widths[i], "…")
		line.WriteString(env.Paint(text, c.Style))
		line.WriteString(strings.Repeat(" ", widths[i]-displaywidth.String(text)) + Gap)
		used += widths[i] + len(Gap)
	}
	io.WriteString(env.Out, strings.TrimRight(line.String(), " ")+"\n")
}

// lastCell returns the text of a row's last cell, which begins in column used.
func (t *Table) lastCell(env *Env, text string, s Style, used, limit int) string {
	room := max(limit-used, narrowestColumn)
	switch {
	case limit == 0:
		return env.Paint(text, s)
	case !t.Wrap:
		return env.Paint(displaywidth.TruncateString(text, room, "…"), s)
	}
	lines := WrapText(text, room)
	for i := range lines {
		lines[i] = env.Paint(lines[i], s)
	}
	return strings.Join(lines, "\n"+strings.Repeat(" ", used))
}

// What is left of columns on a narrow terminal.
const (
	narrowestColumn = 6
	MinLastColumn   = 19
)

// Paint returns printable text in a style where the output takes colour.
func (e *Env) Paint(text string, s Style) string {
	if !e.Colour || s == PlainStyle || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[m"
}

// FirstLineOf returns the first line of a text, which tables show of a name.
func FirstLineOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// WriteLines prints a text of many lines. On a terminal each is made printable.
func WriteLines(env *Env, text string) {
	if !env.Terminal {
		io.WriteString(env.Out, text)
		return
	}
	for line := range strings.Lines(text) {
		fmt.Fprintln(env.Out, Printable(strings.TrimRight(line, "\r\n")))
	}
}

// ShellLine writes a command line as sh reads it, so that it can be copied.
func ShellLine(words []string) string {
	line := make([]string, len(words))
	for i, word := range words {
		line[i] = word
		if word == "" || strings.Trim(word, shellSafe) != "" {
			line[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(line, " ")
}

// shellSafe are the characters that mean nothing to a shell.
const shellSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"

// FieldIndent is how far fields are indented below their record.
const FieldIndent = 4

// CurrentWidth returns the width of the terminal now.
func (e *Env) CurrentWidth() int {
	if e.WidthNow != nil {
		if width := e.WidthNow(); width > 0 {
			return width
		}
	}
	return e.Width
}

// Flush writes buffered output now, not at the end of the command.
func (e *Env) Flush() {
	if out, ok := e.Out.(interface{ Flush() error }); ok {
		out.Flush() //nolint:errcheck // Main reports the same error at the end
	}
}
