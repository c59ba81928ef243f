package git

import "strings"

// EndsInTrailers reports whether the last paragraph of a message consists of trailers and comments only. A message of one
// paragraph has none. isComment may be nil.
func EndsInTrailers(lines []string, isComment func(line string) bool) bool {
	from := len(lines)
	for from > 0 && strings.TrimSpace(lines[from-1]) != "" {
		from--
	}
	if from == 0 {
		return false
	}
	for i, line := range lines[from:] {
		token, _, found := strings.Cut(line, ":")
		isTrailer := found && token != "" && !strings.ContainsAny(token, " \t") || i > 0 && ContinuesTrailer(line)
		if !isTrailer && !strings.HasPrefix(line, "(cherry picked from commit ") && (isComment == nil || !isComment(line)) {
			return false
		}
	}
	return true
}

// ContinuesTrailer reports whether a line below a trailer belongs to it.
func ContinuesTrailer(line string) bool {
	return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
}

// CutMarks returns a line of a message without the marks of quotations and lists at its beginning, with which git and forges
// indent the messages that a squash puts together.
func CutMarks(line string) string {
	for {
		cut := strings.TrimLeft(line, " \t>")
		if rest, found := strings.CutPrefix(cut, "* "); found {
			cut = rest
		}
		if cut == line {
			return line
		}
		line = cut
	}
}
