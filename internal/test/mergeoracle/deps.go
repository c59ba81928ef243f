package mergeoracle

import (
	"maps"
	"slices"
	"strings"
)

// dependencies merges what records wait for: sets, in which what one side added follows a task that the other one replaced, and
// in which nothing closes a cycle.
func (m *merger) dependencies() {
	waits := map[string][]value{} // by key
	for key, f := range m.fates {
		if f == nil || f.isGone || key == "spec" || strings.HasPrefix(key, "issue ") {
			continue
		}
		b, x, y := m.base.records[key], m.x.records[key], m.y.records[key]
		field := record{kind: strings.Fields(key)[0]}.waitsField()
		merged, isSet, ok := m.waitsOf(f, field, b, x, y)
		if !ok {
			continue
		}
		waits[key] = merged
		if f.line == "" {
			f.fields[field] = []outcome{{value: listOf(merged), isSet: isSet}}
			if len(merged) == 0 {
				f.fields[field] = append(just(""), setOf(nil)...)
			}
		}
	}
	m.breakCycles(waits)
}

// waitsOf merges what a record waits for; ok is false where the rules leave that open.
func (m *merger) waitsOf(f *fate, field string, b, x, y record) (all []value, isSet, ok bool) {
	shown := x
	if !x.is() {
		shown = y
	}
	var lists [3][]value
	for i, r := range []record{b, x, y} {
		list, isList := r.fields[field].list()
		candidates, _ := r.conflict()
		if !isList || candidates[field] != nil || slices.ContainsFunc(list, func(id value) bool { return m.moved[id.text()] }) {
			m.leaveOpen(f, shown, field)
			return nil, false, false
		}
		lists[i] = list
	}
	switch one, ok := oneSided(b.fields[field], x.fields[field], y.fields[field]); {
	case f.line != "":
		all, _ = recordOf(f.line).fields[field].list()
	case !x.is() || !y.is():
		all, _ = shown.fields[field].list()
	case ok:
		all, _ = one.list()
	default:
		all, isSet = mergeSets(lists[0], lists[1], lists[2]), true
	}
	followed, changed := m.follow(all, lists[0], b, x, y)
	if slices.ContainsFunc(followed, func(id value) bool { return m.moved[id.text()] }) {
		m.leaveOpen(f, shown, field)
		return nil, false, false
	}
	if changed {
		f.byFields(recordOr(f.line, shown))
		isSet = true
	}
	return followed, isSet, true
}

func recordOr(line string, r record) record {
	if line != "" {
		return recordOf(line)
	}
	return r
}

// leaveOpen leaves a field open, of a record that only one side may have changed.
func (m *merger) leaveOpen(f *fate, shown record, field string) {
	f.byFields(recordOr(f.line, shown))
	f.open[field] = true
}

// follow replaces what one side made a record wait for where the other one replaced that by other tasks.
func (m *merger) follow(all, base []value, b, x, y record) (followed []value, changed bool) {
	for _, id := range all {
		heirs := []value{id}
		if !slices.Contains(base, id) {
			inX, inY := slices.Contains(x.pointsAt("deps"), id), slices.Contains(y.pointsAt("deps"), id)
			if inX != inY {
				heirs = m.heirs(id, inX, 0)
			}
		}
		changed = changed || len(heirs) != 1 || heirs[0] != id
		followed = append(followed, heirs...)
	}
	if changed {
		self := value(quote(max(x.id, y.id)))
		followed = slices.DeleteFunc(followed, func(id value) bool { return id == self })
		slices.Sort(followed)
		followed = slices.Compact(followed)
	}
	return followed, changed
}

// heirs are the tasks in the merged plan that took the place of one which the side that waits has and the other one replaced.
func (m *merger) heirs(id value, inX bool, depth int) (all []value) {
	own, other := m.x, m.y
	if !inX {
		own, other = m.y, m.x
	}
	key := "task " + id.text()
	if f := m.fates[key]; f == nil || !f.isGone || depth == 0 && !own.records[key].is() || depth > 100 {
		return []value{id}
	}
	names := func(r record) bool { return r.fields["parent"] == id || r.fields["supersedes"] == id }
	isReplaced := false // by that side: tasks that named it before do not replace it
	for heir, r := range other.records {
		if r.kind == "task" && names(r) && heir != key {
			isReplaced = isReplaced || !names(m.base.records[heir])
			all = append(all, m.heirs(value(quote(r.id)), inX, depth+1)...)
		}
	}
	if !isReplaced {
		return []value{id}
	}
	return all
}

// breakCycles leaves the field open of each record that waits for itself through others: which edge gives way is not said for
// cycles that meet.
func (m *merger) breakCycles(waits map[string][]value) {
	kindOf := func(key string) string { return strings.Fields(key)[0] }
	for _, key := range slices.Sorted(maps.Keys(waits)) {
		seen := map[string]bool{}
		stack := slices.Clone(waits[key])
		for len(stack) > 0 {
			id := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			next := kindOf(key) + " " + id.text()
			if seen[next] {
				continue
			}
			seen[next] = true
			stack = append(stack, waits[next]...)
		}
		if seen[key] {
			m.leaveOpen(m.fates[key], m.x.records[key], record{kind: kindOf(key)}.waitsField())
		}
	}
}
