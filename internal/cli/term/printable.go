package term

import (
	"strings"

	"git-ralph/internal/mask"
)

// PrintableLines makes each line of a text printable.
func PrintableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Printable(line)
	}
	return strings.Join(lines, "\n")
}

// Printable returns text as it may go to a terminal; see mask.Printable.
func Printable(text string) string { return mask.Printable(text) }
