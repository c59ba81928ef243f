package cli

import (
	"io"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// A glyph is one character as a reader sees it.
type glyph struct {
	text  string
	width int
	style style
}

// wrap breaks printable text into lines of at most width columns, at blanks; a
// word that is wider than a line is broken itself.
func wrap(cells []cell, width int) [][]cell {
	glyphs := glyphsOf(cells)
	var lines [][]cell
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

func glyphsOf(cells []cell) []glyph {
	var glyphs []glyph
	for _, c := range cells {
		for g := displaywidth.StringGraphemes(c.text); g.Next(); {
			glyphs = append(glyphs, glyph{g.Value(), g.Width(), c.style})
		}
	}
	return glyphs
}

// cellsOf joins the glyphs of a line that have one style.
func cellsOf(glyphs []glyph) []cell {
	var cells []cell
	for start := 0; start < len(glyphs); {
		var text strings.Builder
		end := start
		for ; end < len(glyphs) && glyphs[end].style == glyphs[start].style; end++ {
			text.WriteString(glyphs[end].text)
		}
		cells = append(cells, cell{text.String(), glyphs[start].style})
		start = end
	}
	return cells
}

// wrapText is wrap of text without a style.
func wrapText(text string, width int) []string {
	if displaywidth.String(text) <= width {
		return []string{text}
	}
	var lines []string
	for _, line := range wrap([]cell{{text: text}}, width) {
		var b strings.Builder
		for _, c := range line {
			b.WriteString(c.text)
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}

// printWrapped prints cells one after another on one line. On a terminal the
// line is wrapped, and what follows is indented.
func (e *Env) printWrapped(indent int, cells ...cell) {
	for i := range cells {
		cells[i].text = printable(cells[i].text)
	}
	lines := [][]cell{cells}
	if e.Terminal {
		lines = wrap(cells, max(e.Width-indent, minLastColumn))
	}
	for i, line := range lines {
		text := e.painted(line)
		if i > 0 {
			text = strings.Repeat(" ", indent) + text
		}
		e.writeLine(text)
	}
}

// painted joins cells, made printable and each in its style.
func (e *Env) painted(cells []cell) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(e.paint(printable(c.text), c.style))
	}
	return b.String()
}

// cut returns printable cells as far as they fit into width columns, and a mark
// where something is left out.
func cut(cells []cell, width int) []cell {
	used := 0
	for i, c := range cells {
		w := displaywidth.String(c.text)
		if used+w > width {
			rest := displaywidth.TruncateString(c.text, width-used, "…")
			return append(cells[:i:i], cell{rest, c.style})
		}
		used += w
	}
	return cells
}

// writeLine writes a line that is ready to be shown.
func (e *Env) writeLine(text string) { io.WriteString(e.Out, strings.TrimRight(text, " ")+"\n") }
