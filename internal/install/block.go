package install

import (
	"fmt"
	"strings"
)

// The comments around a block. Both kinds of file take what begins with "#" as such. In a configuration the first one
// is on the line of a heading: git counts whole lines of comment to the section above, and removes them with it.
const (
	mark      = "# git ralph"
	beginMark = mark + ": begin"
	endMark   = mark + ": end"
)

// kind is whose line a line within a block is.
type kind int

const (
	theirs  kind = iota
	heading      // of a section of ours: removed, unless a line of theirs follows it
	ours
)

// creation is what a block records about the file that it was added to.
type creation struct {
	padding int  // line breaks that the last line needed
	newFile bool // there was no file
	dirs    int  // nor so many directories above it
}

// newDirs notes how many directories were made for a file. Blocks in users' files have it in this spelling.
const newDirs = " (new file in %d new folders)"

// String returns the first comment of the block, such as "# git ralph: begin (new file)".
func (b creation) String() string {
	switch {
	case b.dirs > 0:
		return fmt.Sprintf(beginMark+newDirs, b.dirs)
	case b.newFile:
		return beginMark + " (new file)"
	case b.padding > 0:
		return fmt.Sprintf(beginMark+" (line breaks added above: %d)", b.padding)
	}
	return beginMark
}

// opening is a line that begins a block, or a section of one.
type opening struct {
	heading  string // of the section, "" in files without sections
	first    bool   // of the block
	creation creation
}

// parseOpening reads what creation.String gives, and what stands before it. It takes anything behind the mark for a note
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
		newDirs: &o.creation.dirs, " (line breaks added above: %d)": &o.creation.padding,
	} {
		if n, err := fmt.Sscanf(note, format, number); n == 0 || err != nil {
			*number = 0
		}
	}
	o.creation.newFile = o.creation.dirs > 0 || note == " (new file)"
	return o, true
}

// parts is a text taken apart.
type parts struct {
	before, after string // without our blocks; what is theirs in the first block ends before
	block         string // the first block as it stands, "" where there is none
	ours          []string
	marks         bool // there are comments that begin or end a block, with or without one
	creation      creation
}

// rest returns the text as it is without our blocks.
func (p parts) rest() string {
	before := p.before
	for range p.creation.padding {
		if p.after == "" && p.block != "" {
			before = strings.TrimSuffix(before, endingOf(p.block))
		}
	}
	return before + p.after
}

// with returns the text with a block of lines in the place of the old one, at the end where there was none.
func (p parts) with(lines []string) string {
	ending, before := endingOf(p.block), p.before
	if p.block == "" {
		ending = endingOf(before)
		before += strings.Repeat(ending, p.creation.padding)
	}
	first := p.creation.String()
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

// paddingOf returns how many line breaks a text needs before a new line: one where the last line has none, and one where
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

// endingOf returns the line break that a text uses.
func endingOf(text string) string {
	if line, _, _ := strings.Cut(text, "\n"); strings.HasSuffix(line, "\r") && len(line) < len(text) {
		return "\r\n"
	}
	return "\n"
}
