package merge

import (
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// liveSpec returns the spec to show of several: one that has tasks or issues
// in the merged plan, else any; the smaller string of these.
func (m *merger) liveSpec(values []jsonl.Value) jsonl.Value {
	alive := slices.DeleteFunc(slices.Clone(values), func(v jsonl.Value) bool { return !m.hasWork(v) })
	if len(alive) > 0 {
		values = alive
	}
	least := slices.MinFunc(values, func(a, b jsonl.Value) int {
		x, _ := a.Str()
		y, _ := b.Str()
		return strings.Compare(x, y)
	})
	if least == "null" {
		return ""
	}
	return least
}

// hasWork tells whether a task or an issue of the result belongs to a spec.
func (m *merger) hasWork(v jsonl.Value) bool {
	spec, isText := v.Str()
	if !isText {
		return false
	}
	for _, e := range m.entries {
		if e.alive && e.kind != plan.KindSpec && e.out.Spec() == spec {
			return true
		}
	}
	for l := range m.untouched() {
		if l.ID == "" || !isNamed(l.Kind) {
			continue
		}
		if rec, _ := m.reader.Record(jsonl.Line{Text: l.Text}); rec.Spec() == spec {
			return true
		}
	}
	return false
}
