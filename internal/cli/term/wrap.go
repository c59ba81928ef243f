package term

import (
	"io"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// A glyph is a part of a text that no line break divides: one character as a reader sees it, or a piece of a message.
type glyph struct {
	text  string
	width int
	style Style
}

// wrap breaks printable text into lines of at most width columns, at blanks; a
// word that is wider than a line is broken itself.
func wrap(cells []Cell, width int) [][]Cell { return breakLines(glyphsOf(cells), width, 0) }

// breakLines breaks glyphs into lines of at most width columns, at blanks where there are any; the lines below the first
// are narrower by indent.
func breakLines(glyphs []glyph, width, indent int) [][]Cell {
	var lines [][]Cell
	start, used, blank := 0, 0, -1
	for i, g := range glyphs {
		if used+g.width > width && i > start {
			end, next := i, i
			switch {
			case g.text == " ":
				next = i + 1
			case blank > start:
				end, next = blank, blank+1
			}
			if len(lines) == 0 {
				width -= indent
			}
			lines = append(lines, cellsOf(glyphs[start:end]))
			start, used, blank = next, 0, -1
			for _, kept := range glyphs[start:max(start, i)] {
				used += kept.width
			}
			if next > i {
				continue
			}
		}
		if g.text == " " {
			blank = i
		}
		used += g.width
	}
	return append(lines, cellsOf(glyphs[start:]))
}

func glyphsOf(cells []Cell) []glyph {
	var glyphs []glyph
	for _, c := range cells {
		for g := displaywidth.StringGraphemes(c.Text); g.Next(); {
			glyphs = append(glyphs, glyph{g.Value(), g.Width(), c.Style})
		}
	}
	return glyphs
}

// cellsOf joins the glyphs of a line that have one style.
func cellsOf(glyphs []glyph) []Cell {
	var cells []Cell
	for start := 0; start < len(glyphs); {
		var text strings.Builder
		end := start
		for ; end < len(glyphs) && glyphs[end].style == glyphs[start].style; end++ {
			text.WriteString(glyphs[end].text)
		}
		cells = append(cells, Cell{text.String(), glyphs[start].style})
		start = end
	}
	return cells
}

// WrapText is wrap of text without a style.
func WrapText(text string, width int) []string {
	if displaywidth.String(text) <= width {
		return []string{text}
	}
	var lines []string
	for _, line := range wrap([]Cell{{Text: text}}, width) {
		var b strings.Builder
		for _, c := range line {
			b.WriteString(c.Text)
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}

// PrintWrapped prints cells one after another on one line. On a terminal the
// line is wrapped, and what follows is indented.
func (e *Env) PrintWrapped(indent int, cells ...Cell) {
	for i := range cells {
		cells[i].Text = Printable(cells[i].Text)
	}
	lines := [][]Cell{cells}
	if e.Terminal {
		lines = wrap(cells, max(e.Width-indent, MinLastColumn))
	}
	for i, line := range lines {
		text := e.Painted(line)
		if i > 0 {
			text = strings.Repeat(" ", indent) + text
		}
		e.WriteLine(text)
	}
}

// Painted joins cells, each made printable and in its style.
func (e *Env) Painted(cells []Cell) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(e.Paint(Printable(c.Text), c.Style))
	}
	return b.String()
}

// Cut returns printable cells as far as they fit into width columns, and a mark
// where something is left out.
func Cut(cells []Cell, width int) []Cell {
	used := 0
	for i, c := range cells {
		w := displaywidth.String(c.Text)
		if used+w > width {
			rest := displaywidth.TruncateString(c.Text, width-used, "…")
			return append(cells[:i:i], Cell{rest, c.Style})
		}
		used += w
	}
	return cells
}

// WriteLine writes a line that is ready to be shown.
func (e *Env) WriteLine(text string) { io.WriteString(e.Out, strings.TrimRight(text, " ")+"\n") }
