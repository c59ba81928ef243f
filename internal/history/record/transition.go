package record

import "git-ralph/internal/plan"

// A transition is a record before and after; either may be missing.
type transition struct {
	key
	was, is       plan.Record
	before, after bool // whether it was there
}

// transitions are the records that differ, by the numbers of their keys.
type transitions struct {
	numbers numbering
	list    []transition
}

// reset makes room for the transitions of another comparison.
func (t *transitions) reset() *transitions {
	t.numbers.reset()
	t.list = t.list[:0]
	return t
}

// add notes that a record differs.
func (t *transitions) add(l *line) {
	if t.numbers.place(l.key) == len(t.list) {
		t.list = append(t.list, transition{key: key{l.Kind(), l.ID()}})
	}
}

// find finds the records in both versions. An id that stands on two lines is that of the first.
func (t *transitions) find(lines *LineTable, before, after *Version) {
	t.scan(lines, before, func(r *transition, l *line) {
		if !r.before {
			r.was, r.before = l.Record, true
		}
	})
	t.scan(lines, after, func(r *transition, l *line) {
		if !r.after {
			r.is, r.after = l.Record, true
		}
	})
}

func (t *transitions) scan(lines *LineTable, v *Version, visit func(*transition, *line)) {
	for _, n := range lines.linesOf(v) {
		l := &lines.lines[n]
		if l.key == 0 {
			continue
		}
		if i := t.numbers.find(l.key); i >= 0 {
			visit(&t.list[i], l)
		}
	}
}
