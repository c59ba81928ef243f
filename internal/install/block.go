package install

import (
	"fmt"
	"strings"
)

// The comments around a block. Both kinds of file take what begins with "#" as such. In a configuration the first one
// stands behind a heading: git counts whole lines of comment to the section above, and removes them with it.
const (
	mark      = "# git ralph"
	beginMark = mark + ": begin"
	endMark   = mark + ": end"
)

// kind says whose a line within a block is.
type kind int

const (
	theirs  kind = iota
	heading      // of a section of ours: goes, unless something of theirs stands below it
	ours
)

// birth is what a block remembers of the file that it was put into.
type birth struct {
	padding int  // line breaks that the last line needed
	newFile bool // there was no file
	folders int  // nor so many folders above it
}

// String gives the first comment of the block: "# git ralph: begin (new file in 2 new folders)".
func (b birth) String() string {
	switch {
	case b.folders > 0:
		return fmt.Sprintf(beginMark+" (new file in %d new folders)", b.folders)
	case b.newFile:
		return beginMark + " (new file)"
	case b.padding > 0:
		return fmt.Sprintf(beginMark+" (line breaks added above: %d)", b.padding)
	}
	return beginMark
}

// opening is a line that begins a block, or a section of one.
type opening struct {
	heading string // of the section, "" in files without sections
	first   bool   // of the block
	birth   birth
}

// parseOpening reads what birth.String gives, and what stands before it. It takes anything behind the mark for a note
// that it does not know.
func parseOpening(line string) (o opening, ok bool) {
	head, note, ok := strings.Cut(strings.TrimRight(line, "\r\n"), mark)
	o.heading = strings.TrimSpace(head)
	if !ok || o.heading != "" && o.heading[0] != '[' {
		return opening{}, false
	}
	note, o.first = strings.CutPrefix(note, strings.TrimPrefix(beginMark, mark))
	if note != "" && note[0] != ' ' || !o.first && (note != "" || o.heading == "") {
		return opening{}, false
	}
	for format, number := range map[string]*int{
		" (new file in %d new folders)": &o.birth.folders, " (line breaks added above: %d)": &o.birth.padding,
	} {
		if n, err := fmt.Sscanf(note, format, number); n == 0 || err != nil {
			*number = 0
		}
	}
	o.birth.newFile = o.birth.folders > 0 || note == " (new file)"
	return o, true
}

// parts is a text taken apart.
type parts struct {
	before, after string // without our blocks; what is theirs in the first block ends before
	block         string // the first block as it stands, "" where there is none
	ours          []string
	birth         birth
}

// rest gives the text as it is without our blocks.
func (p parts) rest() string {
	before := p.before
	for range p.birth.padding {
		if p.after == "" {
			before = strings.TrimSuffix(before, endingOf(p.block))
		}
	}
	return before + p.after
}

// with gives the text with a block of lines in the place of the old one, at the end where there was none.
func (p parts) with(lines []string) string {
	ending, before := endingOf(p.block), p.before
	if p.block == "" {
		ending = endingOf(before)
		before += strings.Repeat(ending, p.birth.padding)
	}
	first := p.birth.String()
	if lines[0][0] == '[' {
		first, lines = lines[0]+" "+first, lines[1:]
	}
	var b strings.Builder
	b.WriteString(before)
	for _, line := range append(append([]string{first}, lines...), endMark) {
		b.WriteString(line + ending)
	}
	b.WriteString(p.after)
	return b.String()
}

// paddingOf gives how many line breaks a text needs before a new line: one where the last line has none, and one where
// it ends with a backslash, by which a configuration joins it to the next.
func paddingOf(text string) int {
	n := 0
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	if strings.HasSuffix(strings.TrimRight(text, "\r\n"), `\`) && !strings.HasSuffix(text, "\n\n") {
		n++
	}
	return n
}

// endingOf gives the line break that a text uses.
func endingOf(text string) string {
	if line, _, _ := strings.Cut(text, "\n"); strings.HasSuffix(line, "\r") && len(line) < len(text) {
		return "\r\n"
	}
	return "\n"
}

// cut takes a text apart; kindOf judges the lines of blocks.
func cut(text string, kindOf func(line string) kind) parts {
	c := cutter{kindOf: kindOf, lines: strings.SplitAfter(text, "\n")}
	for i, line := range c.lines {
		c.take(i, line)
	}
	p := c.parts
	if p.block == "" {
		return parts{before: text, birth: birth{padding: paddingOf(text)}}
	}
	p.before, p.after = c.out[0].String(), c.out[1].String()
	return p
}

// cutter goes through lines and sorts them.
type cutter struct {
	kindOf  func(line string) kind
	lines   []string
	parts   parts
	out     [2]strings.Builder // before the first block's end, and after it
	side    int
	inside  bool   // of a block
	closed  bool   // the block has an end
	section string // heading of ours that was left out, and still rules
}

func (c *cutter) take(i int, line string) {
	if o, ok := parseOpening(line); ok {
		c.open(i, o)
		c.note(line)
		return
	}
	if strings.TrimSpace(line) == endMark {
		c.note(line)
		c.leave()
		return
	}
	which := theirs
	if c.inside {
		which = c.kindOf(strings.TrimSpace(line))
	}
	switch {
	case which == heading:
		c.section = line
	case which == ours:
		c.parts.ours = append(c.parts.ours, strings.TrimSpace(line))
	default:
		c.keep(line)
		return
	}
	c.note(line)
}

// open begins a block. One that lost its end reaches as far as the lines are ours.
func (c *cutter) open(i int, o opening) {
	if o.heading != "" {
		c.section = o.heading + endingOf(c.lines[i])
	}
	if c.inside && !o.first {
		return
	}
	if c.parts.block == "" {
		c.parts.birth = o.birth
	}
	c.inside, c.closed = true, false
	for _, line := range c.lines[i+1:] {
		if again, _ := parseOpening(line); again.first {
			break
		}
		if strings.TrimSpace(line) == endMark {
			c.closed = true
			break
		}
	}
}

func (c *cutter) leave() {
	c.inside = false
	if c.parts.block != "" {
		c.side = 1
	}
}

// note adds a line to the first block's text.
func (c *cutter) note(line string) {
	if c.side == 0 {
		c.parts.block += line
	}
}

// keep puts out a line of theirs, below the heading that it stands under.
func (c *cutter) keep(line string) {
	if line == "" {
		return // behind the last line break
	}
	if c.inside && !c.closed {
		c.leave()
	}
	switch text := strings.TrimSpace(line); {
	case strings.HasPrefix(text, "["):
		c.section = ""
	case text != "" && text[0] != '#' && text[0] != ';' && c.section != "":
		c.out[c.side].WriteString(c.section)
		c.section = ""
	}
	c.out[c.side].WriteString(line)
}
