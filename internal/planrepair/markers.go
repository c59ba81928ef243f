package planrepair

import (
	"strings"

	"git-ralph/internal/plan"
)

// minMarkerSize is the minimum number of signs that a conflict marker begins with. Git writes longer ones where it is
// configured to, and for conflicts within conflicts.
const minMarkerSize = 7

// A sign is what a conflict marker is made of; 0 stands for a line that is none.
type sign byte

// The signs, by what follows a marker of them.
const (
	oursSign   sign = '<'
	baseSign   sign = '|'
	theirsSign sign = '='
	endSign    sign = '>'
)

// markerOf reports whether a line is a conflict marker, and of how many signs. No
// line of a plan begins so, and whatever follows the signs is a label. A byte order
// mark may precede that of a file's first line.
func markerOf(line string) (s sign, size int) {
	line = strings.TrimPrefix(line, "\ufeff")
	if len(line) < minMarkerSize || !strings.Contains("<|=>", line[:1]) {
		return 0, 0
	}
	size = len(line) - len(strings.TrimLeft(line, line[:1]))
	if size < minMarkerSize {
		return 0, 0
	}
	return sign(line[0]), size
}

// A part is a run of lines outside of conflicts, or one conflict.
type part struct {
	text     string // lines with their endings
	conflict *conflict
}

// A conflict is what is between its first and its last marker. Each of its
// sections may hold conflicts of its own, as the base has them after a
// criss-cross.
type conflict struct {
	ours, base, theirs []part
	hasBase            bool // the style diff3 or zdiff3
}

// parse reads a file with conflict markers. The only error is a *strayError.
func parse(text string) ([]part, error) {
	p := parser{}
	for line := range strings.Lines(text) {
		p.lines = append(p.lines, line)
	}
	parts, _, err := p.section(0)
	return parts, err
}

// A parser walks over the lines of a file.
type parser struct {
	lines []string
	at    int // the next line
}

// section reads up to a marker that belongs to the conflict around it, whose
// markers are of size signs, and returns that marker's sign. Size 0 is the file
// itself, which ends with its last line.
func (p *parser) section(size int) (parts []part, end sign, err error) {
	from := p.at
	flush := func() {
		if p.at > from {
			parts = append(parts, part{text: strings.Join(p.lines[from:p.at], "")})
		}
	}
	for p.at < len(p.lines) {
		s, length := markerOf(p.lines[p.at])
		switch {
		case s == 0:
			p.at++
			continue
		case s == oursSign:
			flush()
			inner, err := p.conflict(length)
			if err != nil {
				return nil, 0, err
			}
			parts = append(parts, part{conflict: inner})
			from = p.at
		case length == size:
			flush()
			p.at++
			return parts, s, nil
		default:
			return nil, 0, p.stray(p.at)
		}
	}
	flush()
	return parts, 0, nil
}

// conflict reads a conflict, whose first marker is the next line.
func (p *parser) conflict(size int) (*conflict, error) {
	first := p.at
	p.at++
	c := &conflict{}
	var end sign
	var err error
	if c.ours, end, err = p.section(size); err == nil && end == baseSign {
		c.hasBase = true
		c.base, end, err = p.section(size)
	}
	if err != nil {
		return nil, err
	}
	if end != theirsSign {
		return nil, p.unfinished(first, end)
	}
	if c.theirs, end, err = p.section(size); err == nil && end != endSign {
		err = p.unfinished(first, end)
	}
	return c, err
}

// unfinished returns the error of a conflict that began on line first and ended
// with a marker of the sign end that does not belong there, or, where end is 0,
// with the file.
func (p *parser) unfinished(first int, end sign) error {
	if end == 0 {
		return p.stray(first)
	}
	return p.stray(p.at - 1)
}

// A strayError says that a conflict marker does not belong to a whole conflict.
type strayError struct{ problem plan.Problem }

func (e *strayError) Error() string { return e.problem.String() }

func (p *parser) stray(line int) error {
	s, size := markerOf(p.lines[line])
	return &strayError{plan.Problem{
		Line: line + 1, Column: 1, Severity: plan.Error, Code: plan.CodeConflictMarker,
		Message:  "conflict marker " + strings.Repeat(string(rune(s)), size) + " without the ones that belong to it",
		Expected: "<<<<<<<, perhaps |||||||, =======, >>>>>>>, one after the other",
		Hint:     "delete the line if it is no part of a conflict, then run the command again",
	}}
}
