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
	held, shown := conflictsOf(e.out), get(members(e.out), "spec")
	if len(held.of("spec").all) > 0 && shown != "" {
		held.add("spec", shown) // it is one of them, listed or not
	}
	recorded := slices.DeleteFunc(slices.Clone(held.of("spec").all), func(v jsonl.Value) bool { return !plan.CanHold(e.kind, "spec", v) })
	if !e.alive || len(recorded) < 2 || m.isDecided(e, recorded) {
		return
	}
	if v := m.liveSpec(recorded); v != "" && !jsonl.Equal(v, shown) {
		e.out = set(setConflict(e.out, held), "spec", v)
	}
}

// isDecided reports whether only one side changed the record of the spec, if any did, and the same of several specs are in use as there: nothing
// happened to what a merge decides by.
func (m *merger) isDecided(e *entry, recorded []jsonl.Value) bool {
	b, x, y := e.was[base].rec, e.was[one].rec, e.was[two].rec
	if !jsonl.EqualObjects(x.Object(), y.Object()) && b.JSON() != x.JSON() && b.JSON() != y.JSON() {
		return false
	}
	inUse := m.specsInUse(result)
	for _, side := range [...]int{one, two} {
		if e.was[side].rec.JSON() != e.out.JSON() {
			continue
		}
		there := m.specsInUse(func(e *entry) version { return e.was[side] })
		differs := func(v jsonl.Value) bool { spec, _ := v.Str(); return inUse[spec] != there[spec] }
		if !slices.ContainsFunc(recorded, differs) {
			return true
		}
	}
	return false
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
	inUse := m.specsInUse(result)
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

// result is what becomes of a record.
func result(e *entry) version { return version{rec: e.out, there: e.alive} }

// specsInUse returns the specs that a task or an issue belongs to, of the versions of records that are looked at.
func (m *merger) specsInUse(of func(e *entry) version) map[string]bool {
	inUse := map[string]bool{}
	for _, e := range m.entries {
		if v := of(e); v.there && e.kind != plan.KindSpec && e.kind != plan.KindItem {
			inUse[v.rec.Spec()] = true
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
