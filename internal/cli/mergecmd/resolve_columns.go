package mergecmd

import (
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/cli/planprint"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/plandiff"
)

// minColumn is the least width of a column at which two texts are shown side by
// side.
const minColumn = 20

// showColumns prints two texts in columns, each with the words marked that the other
// one lacks. It reports whether it could.
func (c recordedConflict) showColumns(env *term.Env) bool {
	const edges = "  * 1     * 2  "
	width := (env.Width - len(edges)) / 2
	if len(c.Candidates) != 2 || width < minColumn {
		return false
	}
	one, isText := c.Candidates[0].Str()
	two, too := c.Candidates[1].Str()
	if !isText || !too {
		return false
	}
	spans := plandiff.Words(one, two)
	if !slices.ContainsFunc(spans, isKept) {
		return false
	}
	left, right := column{env: env, width: width}, column{env: env, width: width}
	for _, s := range spans {
		if s.Op != plandiff.Insert {
			left.add(s)
		}
		if s.Op != plandiff.Delete {
			right.add(s)
		}
	}
	stars := [2]string{" ", " "}
	for i, v := range c.Candidates {
		if v == c.Value {
			stars[i] = "*"
		}
	}
	for i := range max(len(left.lines), len(right.lines)) {
		l, r := "  "+stars[0]+" 1  ", "   "+stars[1]+" 2  "
		if i > 0 {
			l, r = strings.Repeat(" ", len(l)), strings.Repeat(" ", len(r))
		}
		text, used := left.line(i)
		l += text + strings.Repeat(" ", max(width-used, 0))
		text, _ = right.line(i)
		env.WriteLine(l + r + text)
	}
	return true
}

func isKept(s plandiff.Span) bool { return s.Op == plandiff.Keep }

// A column is marked prose, broken into lines of a width.
type column struct {
	env   *term.Env
	width int
	lines [][]plandiff.Span
	used  int // columns of the last line
}

// add appends a span, whose lines are lines of the column too.
func (c *column) add(s plandiff.Span) {
	for i, part := range strings.Split(s.Text, "\n") {
		if i > 0 || c.lines == nil {
			c.breakLine()
		}
		for _, word := range strings.SplitAfter(part, " ") {
			c.addWord(plandiff.Span{Op: s.Op, Text: word})
		}
	}
}

// addWord appends a word, on a new line where it does not fit, and in pieces where it is wider than
// a line.
func (c *column) addWord(word plandiff.Span) {
	word.Text = term.Printable(word.Text)
	marks := c.marks(word)
	if c.used > 0 && c.used+marks+displaywidth.String(strings.TrimRight(word.Text, " ")) > c.width {
		c.breakLine()
		marks = c.marks(word)
	}
	for word.Text != "" {
		piece := displaywidth.TruncateString(word.Text, max(c.width-c.used-marks, 2), "")
		if piece == "" {
			piece = word.Text
		}
		if strings.TrimSpace(word.Text[len(piece):]) == "" {
			piece = word.Text // blanks at the end of a line are not printed
		}
		c.append(plandiff.Span{Op: word.Op, Text: piece}, marks)
		if word.Text = word.Text[len(piece):]; word.Text != "" {
			c.breakLine()
			marks = c.marks(word)
		}
	}
}

func (c *column) breakLine() {
	c.lines, c.used = append(c.lines, nil), 0
}

// marks returns the width of the brackets around a change without colour, 0 where the span
// continues the one before it.
func (c *column) marks(s plandiff.Span) int {
	last := c.lines[len(c.lines)-1]
	if c.env.Colour || s.Op == plandiff.Keep || len(last) > 0 && last[len(last)-1].Op == s.Op {
		return 0
	}
	return len("[--]")
}

func (c *column) append(s plandiff.Span, marks int) {
	last := &c.lines[len(c.lines)-1]
	if n := len(*last); n > 0 && (*last)[n-1].Op == s.Op {
		(*last)[n-1].Text += s.Text
	} else {
		*last = append(*last, s)
	}
	c.used += marks + displaywidth.String(s.Text)
}

// line returns line i, marked, and its width in columns.
func (c *column) line(i int) (text string, width int) {
	if i >= len(c.lines) {
		return "", 0
	}
	spans := slices.Clone(c.lines[i])
	if n := len(spans); n > 0 {
		spans[n-1].Text = strings.TrimRight(spans[n-1].Text, " ")
	}
	for _, s := range spans {
		width += displaywidth.String(s.Text)
		if s.Op != plandiff.Keep && !c.env.Colour {
			width += len("[--]")
		}
	}
	return c.env.Painted(planprint.DiffPrinter{Env: c.env}.Words(spans)), width
}
