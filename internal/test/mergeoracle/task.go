package mergeoracle

import (
	"maps"
	"slices"
	"strings"
)

// state merges the state of a task.
func (m *merger) state(f *fate, b, x, y record) {
	groups := [3]string{}
	for i, r := range []record{b, x, y} {
		groups[i] = r.group()
	}
	from := x
	if one, ok := oneSided(groups[0], groups[1], groups[2]); ok {
		if one != groups[1] {
			from = y
		}
	} else if rx, ry := m.rank(x), m.rank(y); rx < ry || rx == ry && groups[2] < groups[1] {
		from = y
	}
	for _, name := range state {
		f.fields[name] = just(from.fields[name])
	}
}

// rank says which state is stronger: one that is done, then one that is not, then one that is done and rejected.
func (m *merger) rank(r record) int {
	switch {
	case !r.done():
		return 1
	case m.rejects(r):
		return 0
	}
	return 2
}

// group returns the state of a task as JSON.
func (r record) group() string {
	var parts []string
	for _, name := range state {
		if v := r.fields[name]; v != "" {
			parts = append(parts, quote(name)+": "+string(v))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// objects merges objects member by member; ok is false where they are none. Members that contradict each other make two candidates: the
// whole object with the values of one side, and with those of the other.
func objects(b, x, y value, depth int) (all []outcome, ok bool) {
	left, right, ok := mergedObjects(b, x, y, depth)
	switch {
	case !ok || b.isDeep() || x.isDeep() || y.isDeep():
		return nil, false
	case left == right:
		return just(left), true
	}
	return disagree(left, right), true
}

func mergedObjects(b, x, y value, depth int) (left, right value, ok bool) {
	xs, okX := membersOf(string(x))
	ys, okY := membersOf(string(y))
	if !okX || !okY || depth > maxDepth {
		return "", "", false
	}
	bs, _ := membersOf(string(b))
	var byName [3]map[string]value
	names := map[string]bool{}
	for i, members := range [][]member{bs, xs, ys} {
		byName[i] = map[string]value{}
		for _, v := range members {
			byName[i][v.name] = value(spelled(v.raw, depth+1))
			names[v.name] = true
		}
	}
	var lefts, rights []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		was, l, r := byName[0][name], byName[1][name], byName[2][name]
		if one, ok := oneSided(was, l, r); ok {
			l, r = one, one
		} else if ml, mr, ok := mergedObjects(was, l, r, depth+1); ok {
			l, r = ml, mr
		}
		for _, side := range []struct {
			to *[]string
			v  value
		}{{&lefts, l}, {&rights, r}} {
			if side.v != "" {
				*side.to = append(*side.to, quote(name)+": "+string(side.v))
			}
		}
	}
	return value("{" + strings.Join(sortedTexts(lefts), ", ") + "}"), value("{" + strings.Join(sortedTexts(rights), ", ") + "}"), true
}

func sortedTexts(all []string) []string { return slices.Sorted(slices.Values(all)) }

// spec decides which of several specs is shown: one that has tasks or issues in the merged plan, else any; the smaller one of these.
func (m *merger) spec() {
	f := m.fates["spec"]
	if f == nil {
		return
	}
	if m.base.isOdd || m.x.isOdd || m.y.isOdd {
		m.fates["spec"] = nil
		return
	}
	all := m.specsOf(f)
	if len(all) < 2 {
		return
	}
	used := slices.DeleteFunc(slices.Clone(all), func(v value) bool { return !m.isUsed(v) })
	if len(used) == 0 {
		used = all
	}
	if slices.ContainsFunc(all, m.mayBeUsed) {
		f.byFields(recordOf(f.line))
		f.fields["spec"] = anyShown(listing(f.fields["spec"], all))
		return
	}
	x, y := m.x.records["spec"], m.y.records["spec"]
	_, isOneSided := oneSided(m.base.records["spec"].line, x.line, y.line)
	for _, side := range []file{m.x, m.y} {
		isOther := func(spec value) bool { return m.isUsed(spec) != side.uses(spec) }
		isKept := (isOneSided || x.meaning() == y.meaning()) && f.differs(side.records["spec"]) == ""
		if isKept && !slices.ContainsFunc(all, isOther) {
			return
		}
	}
	f.byFields(recordOf(f.line))
	f.fields["spec"] = listing(f.fields["spec"], all)
	for i := range f.fields["spec"] {
		if f.fields["spec"][i].value = slices.Min(used); slices.Min(used) == none {
			f.fields["spec"][i].value = ""
		}
	}
}

// listing returns outcomes that list some candidates, too.
func listing(outcomes []outcome, all []value) []outcome {
	for i, o := range outcomes {
		outcomes[i].candidates = slices.Compact(sorted(slices.Concat(o.candidates, all)))
	}
	return outcomes
}

// specsOf returns the specs that are recorded of what becomes of the record, the one that is shown among them.
func (m *merger) specsOf(f *fate) (all []value) {
	var shown value
	if f.line != "" {
		r := recordOf(f.line)
		candidates, _ := r.conflict()
		all, shown = candidates["spec"], r.fields["spec"]
	} else if o := f.fields["spec"]; len(o) > 0 {
		all, shown = o[0].candidates, o[0].value
	}
	if len(all) > 0 && shown != "" {
		all = slices.Compact(sorted(append(slices.Clone(all), shown)))
	}
	return slices.DeleteFunc(all, func(v value) bool { return !canHold("spec", "spec", v) })
}

// mayBeUsed reports whether a record that is not judged may belong to a spec.
func (m *merger) mayBeUsed(spec value) bool {
	for key, f := range m.fates {
		if f != nil || strings.HasPrefix(key, "item ") {
			continue
		}
		for _, v := range []file{m.base, m.x, m.y} {
			if v.records[key].fields["spec"] == spec {
				return true
			}
		}
	}
	return false
}

// uses reports whether a task or issue of a plan belongs to a spec.
func (f file) uses(spec value) bool {
	for _, r := range f.records {
		if (r.kind == "task" || r.kind == "issue") && r.fields["spec"] == spec {
			return true
		}
	}
	return false
}

// isUsed reports whether a task or issue of the merged plan belongs to a spec.
func (m *merger) isUsed(spec value) bool {
	for key, f := range m.fates {
		if f == nil || f.isGone || key == "spec" || strings.HasPrefix(key, "item ") {
			continue
		}
		if f.line != "" {
			if recordOf(f.line).fields["spec"] == spec {
				return true
			}
		} else if o := f.fields["spec"]; len(o) > 0 && o[0].value == spec {
			return true
		}
	}
	return false
}
