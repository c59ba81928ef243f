package merge

import (
	"git-ralph/internal/plan"
)

// A wholeLine is a line that is not merged field by field: a tombstone, a record of
// an unknown kind or without an id, or an empty line. What counts is how often
// each input has it (docs/merge.md, "Tombstones and unknown records").
type wholeLine struct {
	rec   plan.Record
	lines [inputs][]int32 // where the inputs have it
	left  int             // how often the result has it
}

func (m *merger) addWholeLine(in int, t touched) {
	b := m.wholeLines[t.rec.JSON()]
	if b == nil {
		b = &wholeLine{rec: t.rec}
		m.wholeLines[t.rec.JSON()] = b
	}
	b.lines[in] = append(b.lines[in], t.line)
}

// count returns how often the result has a line: what both sides added is
// there once, what either removed is gone.
func (b *wholeLine) count() int {
	had := len(b.lines[base])
	x, y := len(b.lines[one])-had, len(b.lines[two])-had
	switch {
	case x >= 0 && y >= 0:
		return had + max(x, y)
	case x <= 0 && y <= 0:
		return had + min(x, y)
	}
	return had + x + y
}
