package markdown

import (
	"bytes"
	"slices"
	"sort"
	"unicode/utf8"

	"git-ralph/internal/workplan"
)

// lines finds the line and column of an offset.
type lines struct {
	src    []byte
	starts []int // where each line begins
}

func newLines(src []byte) lines {
	starts := make([]int, 1, 1+bytes.Count(src, []byte{'\n'}))
	for i, c := range src {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return lines{src, starts}
}

// position returns the line and the column, in characters, both from 1. A byte-order mark is no character.
func (l lines) position(at int) (line, column int) {
	line = sort.SearchInts(l.starts, at+1)
	text := bytes.TrimPrefix(l.src[l.starts[line-1]:at], []byte(byteOrderMark))
	return line, utf8.RuneCount(text) + 1
}

// sorted returns the problems in the order of the file.
func (p *parser) sorted() []workplan.Problem {
	slices.SortStableFunc(p.problems, func(a, b problem) int { return a.at - b.at })
	list := make([]workplan.Problem, len(p.problems))
	for i, it := range p.problems {
		line, column := p.lines.position(it.at)
		list[i] = workplan.Problem{Line: line, Column: column, Text: it.text}
	}
	return list
}
