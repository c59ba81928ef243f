package install

import "strings"

// parseBlocks splits a text into its blocks and the rest; the form says whose the lines of a block are.
func parseBlocks(text string, form form) parts {
	c := blockParser{form: form, lines: strings.SplitAfter(text, "\n")}
	for i, line := range c.lines {
		c.take(i, line)
	}
	p := c.parts
	p.before, p.after = c.out[0].String(), c.out[1].String()
	if len(p.ours) > 0 {
		return p
	}
	// Marks alone are no block: where they stand says nothing about where one belongs.
	rest := p.rest()
	at := form.start(rest)
	p.creation.padding = paddingOf(rest[:at])
	return parts{before: rest[:at], after: rest[at:], creation: p.creation, marks: p.marks}
}

// blockParser sorts the lines of a text into blocks and the rest.
type blockParser struct {
	form    form
	lines   []string
	parts   parts
	out     [2]strings.Builder // before the first block's end, and after it
	side    int
	inside  bool   // of a block
	closed  bool   // the block has an end
	section string // heading of ours that was left out, and that applies to the lines that follow
}

func (c *blockParser) take(i int, line string) {
	if o, ok := parseOpening(line); ok {
		c.open(i, o)
		c.note(line)
		return
	}
	if strings.TrimSpace(line) == endMark {
		c.parts.marks = true
		if c.inside {
			c.note(line)
			c.leave()
		}
		return
	}
	which := theirs
	if c.inside {
		which = c.form.kindOf(strings.TrimSpace(line))
	}
	if c.inside && c.closed && c.form.whole() {
		which = ours
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

// open begins a block. One without an end extends as far as the lines are ours.
func (c *blockParser) open(i int, o opening) {
	if o.heading != "" {
		c.section = o.heading + endingOf(c.lines[i])
	}
	if c.inside && !o.first {
		return
	}
	if c.parts.block == "" {
		c.parts.creation = o.creation
	}
	c.inside, c.closed, c.parts.marks = true, false, true
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

func (c *blockParser) leave() {
	c.inside = false
	if c.parts.block != "" {
		c.side = 1
	}
}

// note adds a line to the first block's text.
func (c *blockParser) note(line string) {
	if c.side == 0 {
		c.parts.block += line
	}
}

// keep writes a line of theirs, after the heading of its section if that was left out.
func (c *blockParser) keep(line string) {
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
