package main

import "strings"

// A roff is a manual page that is being written, in the man macros.
type roff struct{ strings.Builder }

// macro writes a request with its arguments.
func (r *roff) macro(name string, args ...string) {
	r.WriteString("." + name)
	for _, arg := range args {
		r.WriteString(` "` + strings.NewReplacer(`\`, `\e`, `"`, `\(dq`).Replace(arg) + `"`)
	}
	r.WriteByte('\n')
}

// line writes a line of text.
func (r *roff) line(text string) { r.raw(escapeRoff(text)) }

// raw writes a line of text that holds escapes of its own.
func (r *roff) raw(text string) {
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		r.WriteString(`\&`) // else it would be a request
	}
	r.WriteString(text + "\n")
}

// item writes a term, which may hold escapes of its own, and what it means.
func (r *roff) item(term, text string) {
	r.macro("TP")
	r.raw(term)
	r.line(text)
}

// synopsis writes a command line: the program and command bold.
func (r *roff) synopsis(text string) {
	words := strings.Fields(text)
	for i, word := range words {
		if !strings.ContainsFunc(word, isArgument) {
			words[i] = bold(word)
			continue
		}
		words[i] = escapeRoff(word)
	}
	r.raw(strings.Join(words, " "))
}

// isArgument reports whether a character is in no command's name.
func isArgument(c rune) bool { return c >= 'A' && c <= 'Z' || strings.ContainsRune("[]<>|{}…", c) }

// prose writes the text of a description: paragraphs, titles in capitals, and
// indented blocks that keep their lines.
func (r *roff) prose(text string) {
	var before lineKind
	gap := false // an empty line came before
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		kind := kindOf(line)
		if kind == emptyLine {
			gap = true
			continue
		}
		r.between(before, kind, gap)
		if kind == titleLine {
			r.macro("SH", line)
		} else {
			r.line(strings.TrimPrefix(line, indentation))
		}
		before, gap = kind, false
	}
	r.between(before, titleLine, false)
}

// A lineKind is what a line of a description is.
type lineKind int

const (
	emptyLine lineKind = iota
	titleLine
	proseLine
	blockLine // indented
)

// indentation is what a block of lines that stay lines has.
const indentation = "  "

func kindOf(line string) lineKind {
	switch {
	case strings.TrimSpace(line) == "":
		return emptyLine
	case strings.HasPrefix(line, indentation):
		return blockLine
	case line == strings.ToUpper(line) && line[0] >= 'A' && line[0] <= 'Z':
		return titleLine
	}
	return proseLine
}

// between writes what belongs between two lines.
func (r *roff) between(before, next lineKind, gap bool) {
	switch {
	case before == blockLine && next == blockLine:
		if gap {
			r.WriteByte('\n') // within a block, lines are as they are
		}
		return
	case before == blockLine:
		r.macro("EE")
		r.macro("RE")
	}
	if gap && (before == proseLine || before == blockLine) && next != titleLine {
		r.macro("PP")
	}
	if next == blockLine {
		r.macro("RS", "4")
		r.macro("EX")
	}
}

func bold(text string) string { return `\fB` + escapeRoff(text) + `\fR` }

func italic(text string) string { return `\fI` + escapeRoff(text) + `\fR` }

// escapeRoff keeps troff from reading anything into text. Hyphens stay hyphens,
// so that text of the page can be copied to a shell.
func escapeRoff(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "^", `\(ha`, "~", `\(ti`, "`", `\(ga`, "'", `\(aq`).Replace(text)
}
