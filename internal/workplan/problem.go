package workplan

import (
	"fmt"
	"strings"
)

// A Problem is one thing that makes a workplan invalid.
type Problem struct {
	Line, Column int    // from 1, the column in characters
	Text         string // what is invalid, and what is accepted
}

// An InvalidError says that a file is not a valid workplan.
type InvalidError struct {
	File     string
	Problems []Problem // at least one
}

// Error returns a line for each problem, as compilers write it: file:line:column: text.
func (e *InvalidError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = fmt.Sprintf("%s:%d:%d: %s", e.File, p.Line, p.Column, p.Text)
	}
	return strings.Join(lines, "\n")
}
