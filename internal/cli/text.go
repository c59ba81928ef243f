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

// A table is text in columns that are as wide as their widest cell. The last
// column is cut at the terminal's edge, unless the whole of it is wanted.
type table struct {
	rows  [][]cell
	whole bool
}

func (t *table) add(row ...cell) { t.rows = append(t.rows, row) }

// gap is the space between columns.
const gap = "  "

// write prints the table. Columns that are empty in every row are left out.
func (t *table) write(env *Env) {
	widths := t.widths()
	for _, row := range t.rows {
		t.writeRow(env, row, widths)
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

func (t *table) writeRow(env *Env, row []cell, widths []int) {
	var line strings.Builder
	used := 0
	for i, c := range row {
		if widths[i] == 0 {
			continue
		}
		text := printable(c.text)
		last := i == len(row)-1
		if last && env.Terminal && !t.whole {
			text = displaywidth.TruncateString(text, max(env.Width-used, minLastColumn), "…")
		}
		line.WriteString(env.paint(text, c.style))
		if !last {
			line.WriteString(strings.Repeat(" ", widths[i]-displaywidth.String(text)) + gap)
			used += widths[i] + len(gap)
		}
	}
	io.WriteString(env.Out, strings.TrimRight(line.String(), " ")+"\n")
}

// printCells writes one line of cells, however long.
func (e *Env) printCells(cells ...cell) {
	t := table{whole: true}
	t.add(cells...)
	t.write(e)
}

// minLastColumn is what is left of a row on a terminal however narrow.
const minLastColumn = 20

// paint gives printable text a style where the output takes colour.
func (e *Env) paint(text string, s style) string {
	if !e.Colour || s == plainStyle || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[m"
}

// print writes one line for people. The text is made printable.
func (e *Env) print(text string) {
	io.WriteString(e.Out, printable(text)+"\n")
}
