package merge

import (
	"slices"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A fieldMerger merges the fields of three versions of a record. There may be no
// base version.
type fieldMerger struct {
	m    *merger
	e    *entry
	kind plan.Kind
	id   string

	was, one, two            index
	comparer                 jsonl.Comparer
	heldBefore, heldX, heldY candidates
	held                     candidates // of the result
	out                      []jsonl.Member
	otherIDs                 [][2]string // other names of the record; see formerNames
}

// mergeRecords merges an entry that both sides changed or added, field by
// field (docs/merge.md, "Changed on both sides").
func (m *merger) mergeRecords(e *entry) {
	r := fieldMerger{m: m, e: e, kind: e.kind, id: e.id, held: candidates{}}
	r.was, r.heldBefore = r.read(e.was[base])
	r.one, r.heldX = r.read(e.was[one])
	r.two, r.heldY = r.read(e.was[two])
	switch e.kind {
	case plan.KindTask:
		r.unifyNames()
	case plan.KindItem:
		r.followIssue()
	}
	state := r.state()
	for _, name := range r.names() {
		var v jsonl.Value
		switch {
		case e.kind == plan.KindTask && plan.IsStateField(name):
			v = get(state, name)
			r.keepCandidates(name)
		case name == e.kind.WaitsField():
			v = r.deps()
		default:
			v = r.field(name)
		}
		if v != "" {
			r.out = append(r.out, named(name, v, r.was, r.one, r.two))
		}
	}
	e.out, e.alive = r.finish(), true
	m.steps += r.comparer.Steps + len(r.was.all) + len(r.one.all) + len(r.two.all)
}

func (r *fieldMerger) read(v version) (index, candidates) {
	if !v.there {
		return index{}, candidates{}
	}
	return indexed(members(v.rec)), conflictsOf(v.rec)
}

// keepCandidates merges the recorded candidates of a field whose value is
// merged without them.
func (r *fieldMerger) keepCandidates(name string) {
	r.held[name] = mergeCandidates(r.heldBefore.of(name), r.heldX.of(name), r.heldY.of(name))
}

// unifyNames moves "desc" of a legacy task to "name", if any version has a name.
func (r *fieldMerger) unifyNames() {
	versions := [...]*index{&r.was, &r.one, &r.two}
	held := [...]candidates{r.heldBefore, r.heldX, r.heldY}
	lacksName := func(in *index) bool { return isAbsent(r.kind, "name", in.get("name")) }
	if !slices.ContainsFunc(versions[:], func(in *index) bool { return !lacksName(in) }) {
		return
	}
	for i, in := range versions {
		if !lacksName(in) {
			continue
		}
		all := slices.DeleteFunc(in.all, func(m jsonl.Member) bool { return m.Name == "name" })
		for j, m := range all {
			if m.Name == "desc" {
				all[j] = jsonl.Member{Name: "name", Value: m.Value}
			}
		}
		*in = indexed(all)
		held[i].add("name", held[i].of("desc").all...)
		delete(held[i], "desc")
	}
}

// names returns the fields that any version has or has a recorded conflict of.
// Recorded conflicts of fields that cannot be in conflict stay as they are.
func (r *fieldMerger) names() []string {
	names := slices.DeleteFunc(allNames(r.was, r.one, r.two), func(name string) bool { return name == "conflict" })
	known := plan.SetOf(names)
	var recorded []string
	for _, held := range [...]candidates{r.heldBefore, r.heldX, r.heldY} {
		for name := range held {
			if isReserved(r.kind, name) {
				r.keepCandidates(name)
			} else if !known[name] {
				known[name] = true
				recorded = append(recorded, name)
			}
		}
	}
	slices.Sort(recorded)
	return append(names, recorded...)
}

// isReserved reports whether a recorded conflict of this name is not one of a
// field.
func isReserved(kind plan.Kind, name string) bool {
	return name == plan.Removed || !plan.CanHold(kind, name, "null")
}

// finish builds the merged record.
func (r *fieldMerger) finish() plan.Record {
	for name, values := range r.held {
		if name == r.kind.WaitsField() {
			continue // reported once cycles are known; see recordDeps
		}
		news := func(v jsonl.Value) bool {
			return !r.heldX.has(name, v) && !r.heldY.has(name, v) && !r.heldBefore.holds(name, r.was, v)
		}
		if slices.ContainsFunc(values.all, news) {
			r.m.conflicts = append(r.m.conflicts, Conflict{ID: r.id, Field: name})
		}
	}
	if v := r.held.value(); v != "" {
		r.out = append(r.out, jsonl.Member{Name: "conflict", Value: v})
	}
	merged := plan.MakeRecord(r.kind, r.out)
	for _, former := range r.otherIDs {
		merged = addFormer(merged, former)
	}
	return merged
}

// field merges one field with what was recorded of it, and returns the value to
// show.
func (r *fieldMerger) field(name string) jsonl.Value {
	b, x, y := r.choices(name)
	if name == "created_at" && r.kind != plan.KindSpec {
		r.keepCandidates(name)
		return r.created(b, x, y)
	}
	merged, ok := choice{}, false
	switch {
	case x.all.equals(y.all):
		if merged.shown, ok = unchanged(b.shown, x.shown, y.shown, r.same(name)); !ok {
			merged.shown = r.winner(name, x.all.all)
		}
		merged.all = newValueSet(x.all.key, slices.Concat(x.all.all, y.all.all)...)
	case b.all.equals(x.all):
		merged = y
	case b.all.equals(y.all):
		merged = x
	default:
		if name == "renamed_from" {
			if v := mergeFormers(x.shown, y.shown); v != "" {
				r.keepCandidates(name)
				return v
			}
		}
		merged = r.mergeChoices(name, b, x, y)
	}
	merged.odd = mergeCandidates(b.odd, x.odd, y.odd)
	return r.show(name, merged)
}

// choices returns what the versions have in a field.
func (r *fieldMerger) choices(name string) (b, x, y choice) {
	if isReserved(r.kind, name) {
		return r.choice(name, r.was, nil), r.choice(name, r.one, nil), r.choice(name, r.two, nil)
	}
	return r.choice(name, r.was, r.heldBefore), r.choice(name, r.one, r.heldX), r.choice(name, r.two, r.heldY)
}

// show records the candidates of a field, if there are several, and returns the
// value to show.
func (r *fieldMerger) show(name string, c choice) jsonl.Value {
	if isReserved(r.kind, name) {
		r.discardOthers(name, c)
		return c.shown
	}
	delete(r.held, name)
	if len(c.all.all) > 1 {
		r.held.add(name, c.all.all...)
	}
	r.held.add(name, c.odd.all...)
	return c.shown
}

// discardOthers reports the other values of a field as discarded, since they
// cannot be recorded.
func (r *fieldMerger) discardOthers(name string, c choice) {
	for _, v := range c.all.all {
		if v != "" && v != c.shown {
			r.m.discard(r.id, name, v, c.shown)
		}
	}
}

// winner returns the candidate to show. Only the candidates decide, not the
// merges that they come from: clones that have the same ones show the same.
func (r *fieldMerger) winner(name string, values []jsonl.Value) jsonl.Value {
	if r.kind == plan.KindSpec && name == "spec" {
		return r.m.liveSpec(values)
	}
	return longest(values)
}

// isRanked reports whether the higher of two values of a field wins.
func (r *fieldMerger) isRanked(name string) bool {
	return r.kind != plan.KindSpec && name == "priority" || r.kind == plan.KindItem && name == "state"
}

// rankOf returns a number that is lower for a higher priority or state: a known word is higher
// than an unknown one, and that is higher than none.
func rankOf(name string, v jsonl.Value) int {
	word, _ := v.Str()
	rank := plan.PriorityRank
	if name == "state" {
		rank = func(state string) int { return -plan.ItemStateRank(state) }
	}
	if word == "" {
		return rank("") + 1
	}
	return rank(word)
}

// highest returns the highest of several priorities or states.
func (r *fieldMerger) highest(name string, values []jsonl.Value) []jsonl.Value {
	rank := func(v jsonl.Value) int { return rankOf(name, v) }
	best := slices.MinFunc(values, func(a, b jsonl.Value) int { return rank(a) - rank(b) })
	return slices.DeleteFunc(values, func(v jsonl.Value) bool {
		lower := rank(v) > rank(best)
		if lower {
			r.m.discard(r.id, name, v, best)
		}
		return lower
	})
}

// created merges the time of creation. It identifies the record, so no side can
// remove it.
func (r *fieldMerger) created(b, x, y choice) jsonl.Value {
	if isAbsent(r.kind, "created_at", x.shown) == isAbsent(r.kind, "created_at", y.shown) {
		if v, ok := unchanged(b.shown, x.shown, y.shown, r.same("created_at")); ok {
			return v
		}
	}
	return r.earlier("created_at", x.shown, y.shown)
}

// earlier returns the earlier of two times of creation, or the only one.
func (r *fieldMerger) earlier(name string, x, y jsonl.Value) jsonl.Value {
	xs, _ := x.Str()
	ys, _ := y.Str()
	switch {
	case xs == "":
		return y
	case ys == "":
		return x
	case ys < xs:
		x, y = y, x
	}
	r.m.discard(r.id, name, y, x)
	r.otherIDs = append(r.otherIDs, [2]string{r.id, max(xs, ys)})
	return x
}

// deps merges dependencies as sets: the base's, less what either side removed,
// then what either added, sorted. Those that an earlier merge dropped count
// too: whether they close a cycle is decided again later.
func (r *fieldMerger) deps() jsonl.Value {
	field := r.kind.WaitsField()
	b, x, y := r.choices(field)
	r.held.add(field, mergeCandidates(b.odd, x.odd, y.odd).all...)
	recorded := len(b.all.all)+len(x.all.all)+len(y.all.all) > 3
	if !recorded {
		if v, ok := unchanged(b.shown, x.shown, y.shown, r.same(field)); ok {
			return v
		}
	}
	all := mergeLists(b.union(), x.union(), y.union())
	if len(all) == 0 {
		return ""
	}
	if recorded {
		r.held.add(field, listOf(all), "[]") // to be decided again
	}
	return listOf(all)
}
