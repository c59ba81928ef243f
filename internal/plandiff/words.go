package plandiff

import (
	"strings"

	"git-ralph/internal/textmerge"
)

// An Op says what became of a piece of prose.
type Op string

// The operations, named as the JSON of `git ralph diff` names them.
const (
	Keep   Op = "keep"
	Delete Op = "delete"
	Insert Op = "insert"
)

// A Span is a piece of prose. The kept and deleted spans, joined, are the old
// text; the kept and inserted ones the new.
type Span struct {
	Op   Op
	Text string
}

// Words compares two texts by words, as Unicode divides them (UAX 29): no
// character is ever split, and scripts without spaces are compared character by
// character. Changes with only white space between them count as one: people
// read a phrase, not the spaces in it that happen to agree.
func Words(before, after string) []Span {
	var spans []Span
	pieces := textmerge.Compare(before, after)
	for i := 0; i < len(pieces); i++ {
		p := pieces[i]
		if p.Kept() {
			spans = append(spans, Span{Keep, p.Old})
			continue
		}
		for ; bridges(pieces[i:]); i += 2 {
			p.Old += pieces[i+1].Old + pieces[i+2].Old
			p.New += pieces[i+1].New + pieces[i+2].New
		}
		spans = appendChange(spans, p)
	}
	return spans
}

// bridges reports whether the second of the pieces is only white space between
// two that replace something.
func bridges(pieces []textmerge.Piece) bool {
	return len(pieces) > 2 && strings.TrimSpace(pieces[1].Old) == "" && replaces(pieces[0]) && replaces(pieces[2])
}

func replaces(p textmerge.Piece) bool { return p.Old != "" && p.New != "" }

func appendChange(spans []Span, p textmerge.Piece) []Span {
	if p.Old != "" {
		spans = append(spans, Span{Delete, p.Old})
	}
	if p.New != "" {
		spans = append(spans, Span{Insert, p.New})
	}
	return spans
}
