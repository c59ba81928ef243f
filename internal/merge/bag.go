package merge

import (
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A bag is a line that is not merged field by field: a tombstone, a record of
// an unknown kind or without an id, or an empty line. What counts is how often
// each input has it (docs/merge.md, "Tombstones and unknown records").
type bag struct {
	rec   plan.Record
	lines [inputs][]int32 // where the inputs have it
	left  int             // how often the result has it
}

func (m *merger) bag(in int, t touched) {
	b := m.bags[t.rec.JSON()]
	if b == nil {
		b = &bag{rec: t.rec}
		m.bags[t.rec.JSON()] = b
	}
	b.lines[in] = append(b.lines[in], t.line)
}

// count returns how often the result has a line: what both sides added is
// there once, what either removed is gone.
func (b *bag) count() int {
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

// tombstones are those of the result, by the id of the task.
type tombstones map[string][]plan.Record

// buryAll counts what the bags leave, and finds the tombstones of all tasks
// that are merged.
func (m *merger) buryAll() {
	m.tombs = tombstones{}
	for _, e := range m.entries {
		if e.kind == plan.KindTask {
			m.tombs[e.id] = nil
		}
	}
	for _, b := range m.bags {
		if b.left = b.count(); b.left > 0 && b.rec.Kind() == plan.KindReject {
			m.bury(b.rec)
		}
	}
	for _, l := range m.untouched() {
		if l.Kind != plan.KindReject {
			continue
		}
		if _, asked := m.tombs[l.ID]; asked {
			rec, _ := m.reader.Record(jsonl.Line{Text: l.Text})
			m.bury(rec)
		}
	}
}

func (m *merger) bury(tombstone plan.Record) {
	m.tombs[tombstone.ID()] = append(m.tombs[tombstone.ID()], tombstone)
}

// reject tells whether a tombstone names the attempt at a task that "attempt"
// or "done_at" stand for.
func (t tombstones) reject(id, attempt, doneAt string) bool {
	for _, tomb := range t[id] {
		other := tomb.Text("attempt")
		if attempt != "" && other != "" {
			if attempt == other {
				return true
			}
			continue
		}
		at := tomb.Text("done_at")
		if at != "" && doneAt != "" && (strings.HasPrefix(at, doneAt) || strings.HasPrefix(doneAt, at)) {
			return true
		}
	}
	return false
}
