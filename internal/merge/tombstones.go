package merge

import (
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// tombstones holds the tombstones of the result by the id of the task.
type tombstones map[string][]plan.Record

// collectTombstones counts the whole lines of the result, and finds the tombstones of all tasks that are merged.
func (m *merger) collectTombstones() {
	m.tombstones = tombstones{}
	for _, e := range m.entries {
		if e.kind == plan.KindTask {
			m.tombstones[e.id] = nil
		}
	}
	for _, b := range m.wholeLines {
		if b.left = b.count(); b.left > 0 && b.rec.Kind() == plan.KindReject {
			m.addTombstone(b.rec)
		}
	}
	for _, l := range m.untouched() {
		if l.Kind != plan.KindReject {
			continue
		}
		if _, wanted := m.tombstones[l.ID]; wanted {
			rec, _ := m.reader.Record(jsonl.Line{Text: l.Text})
			m.addTombstone(rec)
		}
	}
}

func (m *merger) addTombstone(tombstone plan.Record) {
	m.tombstones[tombstone.ID()] = append(m.tombstones[tombstone.ID()], tombstone)
}

// reject reports whether a tombstone of a task rejects an attempt at it.
func (t tombstones) reject(id string, a plan.Attempt) bool {
	return slices.ContainsFunc(t[id], func(tombstone plan.Record) bool { return plan.Rejected(a, tombstone) })
}
