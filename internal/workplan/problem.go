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

// maxProblems is how many problems are named.
const maxProblems = 50

// Error returns a line for each problem, as compilers write it: file:line:column: text.
func (e *InvalidError) Error() string {
	var lines []string
	for _, p := range e.Problems[:min(len(e.Problems), maxProblems)] {
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", OneLine(e.File), p.Line, p.Column, p.Text))
	}
	if more := len(e.Problems) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("%s: and %d more", OneLine(e.File), more))
	}
	return strings.Join(lines, "\n")
}
