package merge

import (
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// decide sets the result of an entry. What only one side changed is as that
// side has it; what both changed is merged by fields.
func (m *merger) decide(e *entry) {
	b, x, y := &e.was[base], &e.was[one], &e.was[two]
	switch {
	case !x.there && !y.there:
	case equal(x, y):
		e.keep(x)
	case x.there && y.there && jsonl.EqualObjects(x.rec.Object(), y.rec.Object()):
		e.keep(plainer(x, y))
	case equal(b, x):
		e.keep(y)
	case equal(b, y):
		e.keep(x)
	case b.there && !x.there:
		m.mergeRemoved(e, y)
	case b.there && !y.there:
		m.mergeRemoved(e, x)
	case !x.there:
		e.keep(y)
	case !y.there:
		e.keep(x)
	default:
		m.mergeRecords(e)
	}
}

// keep makes a version, which may be none, the result.
func (e *entry) keep(v *version) { e.out, e.alive = v.rec, v.there }

// plainer returns, of two versions with the same meaning, the one that is
// spelled as we write records. The base does not count: otherwise clones that
// merge in a circle would pass a spelling around forever.
func plainer(v, w *version) *version {
	plainV, plainW := isPlain(v.rec), isPlain(w.rec)
	if plainV && !plainW || plainV == plainW && v.rec.JSON() < w.rec.JSON() {
		return v
	}
	return w
}

func isPlain(r plan.Record) bool { return plan.MakeRecord(r.Kind(), members(r)).JSON() == r.JSON() }

func equal(v, w *version) bool {
	return v.there == w.there && v.rec.JSON() == w.rec.JSON()
}

// mergeRemoved decides about a record that one side removed and the other side has
// changed (docs/merge.md, "Removed on one side").
func (m *merger) mergeRemoved(e *entry, left *version) {
	before, now := e.was[base].rec, left.rec
	edits := changes(before, now)
	switch {
	case len(edits) == 0:
		return
	case e.kind != plan.KindTask || !before.Done():
		m.keepRemoved(e, now)
	case m.rejects(before):
		e.keep(left)
		e.restored = true
	case !now.Done():
		m.keepRemoved(e, now)
	default:
		for _, edit := range edits {
			m.discard(e.id, edit.Name, edit.Value, "")
		}
	}
}

// rejects reports whether the merged tombstones reject a record's current attempt.
func (m *merger) rejects(r plan.Record) bool {
	return m.tombstones.reject(r.ID(), r.Attempt())
}

// keepRemoved keeps a record, and records that one side had removed it.
func (m *merger) keepRemoved(e *entry, r plan.Record) {
	e.out, e.alive, e.restored = r, true, true
	held := conflictsOf(r)
	if held.has(plan.Removed, "true") {
		return
	}
	held.add(plan.Removed, "true")
	e.out = set(r, "conflict", held.value())
	m.conflicts = append(m.conflicts, Conflict{ID: e.id, Field: plan.Removed})
}

// changes returns the members of a record that changed, with their new values.
// The time of creation and former names do not count, since a merge may change
// them.
func changes(before, now plan.Record) []jsonl.Member {
	var changed []jsonl.Member
	for _, c := range plan.ChangedFields(before, now) {
		if c.Name != "created_at" && c.Name != "renamed_from" {
			changed = append(changed, jsonl.Member{Name: fieldIn(now, c.Name), Value: c.After})
		}
	}
	return changed
}

// fieldIn returns the field of a record that holds what is compared as name: "desc" for the name of a legacy task.
func fieldIn(r plan.Record, name string) string {
	if name == "name" && r.Kind() == plan.KindTask && !r.Has("name") && r.Has("desc") {
		return "desc"
	}
	return name
}

func members(r plan.Record) []jsonl.Member { return r.Object().Members() }
