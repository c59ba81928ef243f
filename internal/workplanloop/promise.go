package workplanloop

import "strings"

// Promise is what an agent says when the workplan is done.
const Promise = "<promise>HEUREKA</promise>"

// Promised reports whether a message gives the promise: at the end of a line. One in a code block or a quotation, one within a
// sentence, and that of a prompt which is printed again, is only talked about.
func Promised(message string) bool {
	fence := ""
	for line := range strings.Lines(message) {
		text := strings.TrimSpace(line)
		switch mark := fenceOf(text); {
		case fence == "" && mark != "":
			fence = mark
		case fence != "" && strings.HasPrefix(mark, fence) && mark == text:
			fence = ""
		case fence == "" && !isQuoted(line) && strings.HasSuffix(strings.TrimRight(text, "*_.! "), Promise):
			return true
		}
	}
	return false
}

// fenceOf returns the marks that a line begins with where it may open or close a code block, "" where it may not.
func fenceOf(line string) string {
	for _, mark := range [...]string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// isQuoted reports whether a line is a quotation or is indented as code.
func isQuoted(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") || strings.HasPrefix(strings.TrimLeft(line, " "), ">")
}
