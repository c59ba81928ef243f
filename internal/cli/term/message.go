package term

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// hangIndent is how far the further lines of a message are indented.
const hangIndent = 2

// Warn prints a warning.
func (e *Env) Warn(text string) { e.Say("warning", text) }

// WarnAll prints the first few of many warnings, and how many more there are.
func (e *Env) WarnAll(lines []string) {
	for _, line := range FirstOf(lines) {
		e.Warn(line)
	}
}

// maxWarnings is how many lines of one sort are printed at once.
const maxWarnings = 5

// FirstOf returns the first few lines, and one that counts the others.
func FirstOf(lines []string) []string {
	if len(lines) <= maxWarnings {
		return lines
	}
	return append(slices.Clone(lines[:maxWarnings]), fmt.Sprintf("and %d more", len(lines)-maxWarnings))
}

// Hint prints what the user can do.
func (e *Env) Hint(text string) { e.Say("hint", text) }

// Say prints the lines of a message on standard error, each with the program's name and the sort of message. Empty ones,
// which git's own messages have, are left out.
func (e *Env) Say(sort, text string) {
	if e.Message != nil {
		if strings.TrimSpace(text) != "" {
			e.Message(sort, text)
		}
		return
	}
	onErr := e.OnErr()
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) != "" {
			onErr.Print(fmt.Sprintf("git-ralph: %s: %s", sort, line))
		}
	}
}

// OnErr returns an environment whose output is standard error. Where that is not a terminal a message is one line, as scripts
// read it.
func (e *Env) OnErr() *Env {
	own := *e
	own.Out, own.Terminal = e.Err, false
	if e.ErrWidth == nil {
		return &own
	}
	if width := e.ErrWidth(); width > 0 {
		own.Terminal, own.Width = true, width
	}
	return &own
}

// Print writes one line of text for people. On a terminal it is wrapped.
func (e *Env) Print(text string) { e.PrintCells(Cell{Text: text}) }

// PrintCells is Print for text in more than one style.
func (e *Env) PrintCells(cells ...Cell) { io.WriteString(e.Out, e.Fit(cells...)+"\n") }

// Fit returns text as Print writes it, without the end of the line.
func (e *Env) Fit(cells ...Cell) string {
	for i := range cells {
		cells[i].Text = Printable(cells[i].Text)
	}
	lines := [][]Cell{cells}
	if e.Terminal {
		lines = wrapMessage(cells, e.Width)
	}
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Painted(line))
	}
	return b.String()
}

// wrapMessage breaks printable text into lines of at most width columns. Nothing that a user would copy is broken: a word,
// such as a path or an id, and a command that is wider than a line get a line of their own, whose end the terminal breaks.
func wrapMessage(cells []Cell, width int) [][]Cell {
	if widthOf(cells) <= width {
		return [][]Cell{cells}
	}
	indent := hangIndent
	if len(cells) > 0 {
		indent += len(cells[0].Text) - len(strings.TrimLeft(cells[0].Text, " "))
	}
	lines := breakLines(piecesOf(cells, width-indent), width, indent)
	for i, line := range lines {
		if i > 0 {
			room := max(width-widthOf(line), 0)
			lines[i] = slices.Insert(line, 0, Cell{Text: strings.Repeat(" ", min(indent, room))})
		}
	}
	return lines
}

func widthOf(cells []Cell) int {
	width := 0
	for _, c := range cells {
		width += displaywidth.String(c.Text)
	}
	return width
}

// piecesOf divides text into blanks and what stands between them. What stands between quotes is not divided: a command
// never, another value where it fits into a line.
func piecesOf(cells []Cell, width int) []glyph {
	var pieces []glyph
	for _, c := range cells {
		for text := c.Text; text != ""; {
			end := pieceEnd(text, width)
			pieces = append(pieces, glyph{text[:end], displaywidth.String(text[:end]), c.Style})
			text = text[end:]
		}
	}
	return pieces
}

// pieceEnd returns where the first piece of a text ends.
func pieceEnd(text string, width int) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ' ':
			return max(i, 1)
		case '`', '"':
			length := quotedLength(text[i:])
			if text[i] == '`' || displaywidth.String(text[:i+length]) <= width {
				i += length - 1
			}
		}
	}
	return len(text)
}

// quotedLength returns the length of the quoted text at the beginning of text, quotes included; 1 where the quote does not end.
func quotedLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[0] == '"' && text[i] == '\\':
			i++
		case text[i] == text[0]:
			return i + 1
		}
	}
	return 1
}
