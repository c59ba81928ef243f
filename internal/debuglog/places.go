package debuglog

import (
	"maps"
	"slices"
)

// A Span is a part of a file, in bytes.
type Span struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Places are parts of files, by the names of these, in order and not adjacent.
type Places map[string][]Span

// add adds a part of a file that lies behind those that are there, or between them.
func (p Places) add(file string, at Span) {
	spans := p[file]
	i := len(spans)
	for i > 0 && spans[i-1].From > at.From {
		i--
	}
	joinsBefore := i > 0 && spans[i-1].To == at.From
	joinsAfter := i < len(spans) && spans[i].From == at.To
	switch {
	case joinsBefore && joinsAfter:
		spans[i-1].To = spans[i].To
		spans = append(spans[:i], spans[i+1:]...)
	case joinsBefore:
		spans[i-1].To = at.To
	case joinsAfter:
		spans[i].From = at.From
	default:
		spans = append(spans[:i], append([]Span{at}, spans[i:]...)...)
	}
	p[file] = spans
}

// keep removes the parts of files that are gone.
func (p Places) keep(files []string) {
	maps.DeleteFunc(p, func(name string, _ []Span) bool { return !slices.Contains(files, name) })
}

// gaps returns what is between the parts of a file of some size that are known.
func gaps(known []Span, size int64) []Span {
	var all []Span
	var from int64
	for _, s := range known {
		if s.From > from {
			all = append(all, Span{from, s.From})
		}
		from = s.To
	}
	if from < size {
		all = append(all, Span{from, size})
	}
	return all
}
