package cli

import (
	"io"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// A style is how text for people looks on a terminal with colour.
type style string

// The styles, as parameters of the terminal's SGR sequence.
const (
	plainStyle style = ""
	strong     style = "1"
	faint      style = "2"
	red        style = "31"
	green      style = "32"
	yellow     style = "33"
	cyan       style = "36"
)

// A cell is a piece of text for people. It is made printable when it is
// written.
type cell struct {
	text  string
	style style
}

// A table is text in columns that are as wide as their widest cell. On a terminal
// columns are cut so that a row fits, the widest first; the last column is cut
// at the edge, or wrapped there.
type table struct {
	rows  [][]cell
	fixed int // so many columns are never cut
	wrap  bool
	width int // of a row; where it is 0 that of the terminal, without a limit elsewhere
}

func (t *table) add(row ...cell) { t.rows = append(t.rows, row) }

// gap is the space between columns.
const gap = "  "

// write prints the table. Columns that are empty in every row are left out.
func (t *table) write(env *Env) {
	limit := t.width
	if limit == 0 && env.Terminal {
		limit = env.Width
	}
	widths := t.widths()
	if limit > 0 {
		t.shrink(widths, limit)
	}
	for _, row := range t.rows {
		t.writeRow(env, row, widths, limit)
	}
}

func (t *table) widths() []int {
	var widths []int
	for _, row := range t.rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], displaywidth.String(printable(c.text)))
		}
	}
	return widths
}

// shrink makes columns narrower, the widest first, until a row fits into limit
// columns with minLastColumn of the last one.
func (t *table) shrink(widths []int, limit int) {
	if len(widths) < 2 {
		return
	}
	last := len(widths) - 1
	room := limit - min(widths[last], minLastColumn)
	for i, w := range widths[:last] {
		widths[i] = min(w, limit)
		if w > 0 {
			room -= widths[i] + len(gap)
		}
	}
	for room < 0 {
		widest := -1
		for i := t.fixed; i < last; i++ {
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
func (t *table) writeRow(env *Env, row []cell, widths []int, limit int) {
	var line strings.Builder
	used := 0
	for i, c := range row {
		if widths[i] == 0 {
			continue
		}
		text := printable(c.text)
		if i == len(row)-1 {
			line.WriteString(t.lastCell(env, text, c.style, used, limit))
			break
		}
		text = displaywidth.TruncateString(text, widths[i], "…")
		line.WriteString(env.paint(text, c.style))
		line.WriteString(strings.Repeat(" ", widths[i]-displaywidth.String(text)) + gap)
		used += widths[i] + len(gap)
	}
	io.WriteString(env.Out, strings.TrimRight(line.String(), " ")+"\n")
}

// lastCell returns the text of a row's last cell, which begins in column used.
func (t *table) lastCell(env *Env, text string, s style, used, limit int) string {
	room := max(limit-used, narrowestColumn)
	switch {
	case limit == 0:
		return env.paint(text, s)
	case !t.wrap:
		return env.paint(displaywidth.TruncateString(text, room, "…"), s)
	}
	lines := wrapText(text, room)
	for i := range lines {
		lines[i] = env.paint(lines[i], s)
	}
	return strings.Join(lines, "\n"+strings.Repeat(" ", used))
}

// What is left of columns on a narrow terminal.
const (
	narrowestColumn = 6
	minLastColumn   = 19
)

// paint gives printable text a style where the output takes colour.
func (e *Env) paint(text string, s style) string {
	if !e.Colour || s == plainStyle || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[m"
}

// print writes one line for people, however long: it may hold a path or a
// command to copy. The text is made printable.
func (e *Env) print(text string) {
	io.WriteString(e.Out, printable(text)+"\n")
}

// firstLineOf returns the first line of a text, which tables show of a name.
func firstLineOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
