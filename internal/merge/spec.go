package merge

import (
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// chooseSpec decides about the current spec. Which one of several is shown
// depends on the tasks in the result, so it is decided again in each merge.
func (m *merger) chooseSpec() {
	e := m.spec()
	if e == nil {
		return
	}
	if !e.alive {
		m.decide(e)
	}
	recorded := slices.DeleteFunc(conflictsOf(e.out).of("spec").all, func(v jsonl.Value) bool { return !plan.CanHold(e.kind, "spec", v) })
	if !e.alive || len(recorded) < 2 {
		return
	}
	if v := m.liveSpec(recorded); v != "" && !jsonl.Equal(v, get(members(e.out), "spec")) {
		e.out = set(e.out, "spec", v)
	}
}

// spec returns the entry of the current spec, or nil where there is none.
func (m *merger) spec() *entry {
	for _, e := range m.entries {
		if e.kind == plan.KindSpec {
			return e
		}
	}
	for at, l := range m.untouched() {
		if l.Kind == plan.KindSpec && strings.Contains(l.Text, "conflict") {
			return m.untouchedEntry(at)
		}
	}
	return nil
}

// liveSpec returns the spec to show of several: one that has tasks or issues
// in the merged plan, else any; the smaller string of these.
func (m *merger) liveSpec(values []jsonl.Value) jsonl.Value {
	inUse := m.specsInUse()
	alive := slices.DeleteFunc(slices.Clone(values), func(v jsonl.Value) bool {
		spec, isText := v.Str()
		return !isText || !inUse[spec]
	})
	if len(alive) > 0 {
		values = alive
	}
	smallest := slices.MinFunc(values, func(a, b jsonl.Value) int {
		x, _ := a.Str()
		y, _ := b.Str()
		return strings.Compare(x, y)
	})
	if smallest == "null" {
		return ""
	}
	return smallest
}

// specsInUse returns the specs that a task or an issue of the result belongs
// to.
func (m *merger) specsInUse() map[string]bool {
	inUse := map[string]bool{}
	for _, e := range m.entries {
		if e.alive && e.kind != plan.KindSpec && e.kind != plan.KindItem {
			inUse[e.out.Spec()] = true
		}
	}
	for _, l := range m.untouched() {
		if l.ID != "" && l.Kind.HasUniqueID() && l.Kind != plan.KindItem {
			rec, _ := m.reader.Record(jsonl.Line{Text: l.Text})
			inUse[rec.Spec()] = true
		}
	}
	return inUse
}
