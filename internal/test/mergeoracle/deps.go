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
			waits[key] = mayWaitFor(field, b, x, y)
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

// mayWaitFor returns all that some versions of a record list or record as what it waits for.
func mayWaitFor(field string, versions ...record) (all []value) {
	for _, r := range versions {
		candidates, _ := r.conflict()
		for _, v := range append(candidates[field], r.fields[field]) {
			ids, _ := v.list()
			all = append(all, ids...)
		}
	}
	return all
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
	followed, changed := m.follow(all, lists[0], x, y)
	isUnsure := func(id value) bool { return m.moved[id.text()] || m.mayHaveHeirs(id) && !slices.Contains(lists[0], id) }
	if slices.ContainsFunc(slices.Concat(all, followed), isUnsure) {
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

// follow replaces what a record waits for newly, and what the merged plan has no more, by the tasks that took its place there.
func (m *merger) follow(all, base []value, x, y record) (followed []value, changed bool) {
	for _, id := range all {
		heirs := []value{id}
		if !slices.Contains(base, id) && !m.isWanted(id, x, y) {
			heirs = m.heirs(id)
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

// isWanted reports whether each side whose record waits for a task had itself replaced that, by all who take its place.
func (m *merger) isWanted(id value, x, y record) bool {
	for _, side := range []struct {
		record
		file
	}{{x, m.x}, {y, m.y}} {
		if !slices.Contains(side.pointsAt("deps"), id) {
			continue
		}
		if side.records["task "+id.text()].is() {
			return false
		}
		for _, heir := range m.heirs(id) {
			if r := side.records["task "+heir.text()]; r.fields["parent"] != id && r.fields["supersedes"] != id {
				return false
			}
		}
	}
	return true
}

// heirs are the tasks of the merged plan that took the place of one which is not in it: those that name it.
func (m *merger) heirs(id value) (all []value) {
	gone, known := m.fates["task "+id.text()]
	for key, f := range m.fates {
		if !known || gone == nil || !gone.isGone || f == nil || f.isGone || !strings.HasPrefix(key, "task ") {
			continue
		}
		heir := recordOf(f.line).fields
		for _, pointer := range []string{"parent", "supersedes"} {
			v := heir[pointer]
			if o := f.fields[pointer]; f.line == "" && len(o) > 0 {
				v = o[0].value
			}
			if v == id {
				all = append(all, value(quote(strings.TrimPrefix(key, "task "))))
			}
		}
	}
	if len(all) == 0 {
		return []value{id}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mayHaveHeirs reports whether a task that is gone is named by one that is not judged.
func (m *merger) mayHaveHeirs(id value) bool {
	gone := m.fates["task "+id.text()]
	for key, f := range m.fates {
		if gone == nil || !gone.isGone || f != nil && !f.open["parent"] && !f.open["supersedes"] {
			continue
		}
		for _, v := range []file{m.base, m.x, m.y} {
			if heir := v.records[key].fields; heir["parent"] == id || heir["supersedes"] == id {
				return true
			}
		}
	}
	return false
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
