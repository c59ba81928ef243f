package merge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/textmerge"
)

// A record is three versions of a record while their fields are merged. The
// base may have none.
type record struct {
	m    *merger
	e    *entry
	kind plan.Kind
	id   string

	was, one, two            []jsonl.Member
	heldBefore, heldX, heldY candidates
	held                     candidates // of the result
	out                      []jsonl.Member
	born                     [][2]string // what it was called too; see formers
}

// mergeRecords merges an entry that both sides changed or added, field by
// field (docs/merge.md, "Changed on both sides").
func (m *merger) mergeRecords(e *entry) {
	r := record{m: m, e: e, kind: e.kind, id: e.id, held: candidates{}}
	r.was, r.heldBefore = r.read(e.was[base])
	r.one, r.heldX = r.read(e.was[one])
	r.two, r.heldY = r.read(e.was[two])
	if e.kind == plan.KindTask {
		r.foldNames()
	}
	state := r.state()
	for _, name := range r.names() {
		var v jsonl.Value
		switch {
		case e.kind == plan.KindTask && slices.Contains(stateFields[:], name):
			v = get(state, name)
			r.held[name] = mergeCandidates(r.heldBefore[name], r.heldX[name], r.heldY[name])
		case e.kind == plan.KindTask && name == "deps":
			v = r.deps()
		default:
			v = r.field(name)
		}
		if v != "" {
			r.out = append(r.out, named(name, v, r.was, r.one, r.two))
		}
	}
	e.out, e.alive = r.finish(), true
}

func (r *record) read(v version) ([]jsonl.Member, candidates) {
	if !v.there {
		return nil, candidates{}
	}
	return members(v.rec), conflictsOf(v.rec)
}

// foldNames makes "desc" of a legacy task its name, if any version has that
// elsewhere already.
func (r *record) foldNames() {
	versions := [...]*[]jsonl.Member{&r.was, &r.one, &r.two}
	held := [...]candidates{r.heldBefore, r.heldX, r.heldY}
	lacksName := func(all *[]jsonl.Member) bool {
		return isAbsent(r.kind, "name", get(*all, "name"))
	}
	if !slices.ContainsFunc(versions[:], func(all *[]jsonl.Member) bool { return !lacksName(all) }) {
		return
	}
	for i, all := range versions {
		if !lacksName(all) {
			continue
		}
		*all = slices.DeleteFunc(*all, func(m jsonl.Member) bool { return m.Name == "name" })
		for j, m := range *all {
			if m.Name == "desc" {
				(*all)[j] = jsonl.Member{Name: "name", Value: m.Value}
			}
		}
		for _, v := range held[i]["desc"] {
			held[i].add("name", v)
		}
		delete(held[i], "desc")
	}
}

// names returns the fields that any version has or recorded a conflict of.
func (r *record) names() []string {
	names := slices.DeleteFunc(allNames(r.was, r.one, r.two), func(name string) bool { return name == "conflict" })
	var recorded []string
	for _, held := range [...]candidates{r.heldBefore, r.heldX, r.heldY} {
		for name := range held {
			if name != Removed && !slices.Contains(names, name) && !slices.Contains(recorded, name) {
				recorded = append(recorded, name)
			}
		}
	}
	slices.Sort(recorded)
	return append(names, recorded...)
}

// finish builds the merged record.
func (r *record) finish() plan.Record {
	r.held[Removed] = mergeCandidates(r.heldBefore[Removed], r.heldX[Removed], r.heldY[Removed])
	for name, values := range r.held {
		news := func(v jsonl.Value) bool { return !r.heldX.has(name, v) && !r.heldY.has(name, v) }
		if slices.ContainsFunc(values, news) {
			r.m.conflicts = append(r.m.conflicts, Conflict{ID: r.id, Field: name})
		}
	}
	if v := r.held.value(); v != "" {
		r.out = append(r.out, jsonl.Member{Name: "conflict", Value: v})
	}
	merged := plan.Make(r.kind, r.out)
	for _, former := range r.born {
		merged = formerly(merged, former)
	}
	return merged
}

// field merges one field with what was recorded of it, and returns the value to
// show.
func (r *record) field(name string) jsonl.Value {
	b, x, y := r.choice(name, r.was, r.heldBefore), r.choice(name, r.one, r.heldX), r.choice(name, r.two, r.heldY)
	if name == "created_at" && isAbsent(r.kind, name, x.shown) != isAbsent(r.kind, name, y.shown) {
		return r.earlier(name, x.shown, y.shown) // it is part of what the record is: no side can take it away
	}
	merged := x.all
	switch {
	case r.sameSet(name, x.all, y.all):
		if shown, ok := unchanged(b.shown, x.shown, y.shown, r.same(name)); ok {
			return r.show(name, choice{shown, spelled(x.all, y.all)})
		}
	case r.sameSet(name, b.all, x.all):
		return r.show(name, y)
	case r.sameSet(name, b.all, y.all):
		return r.show(name, x)
	default:
		if v, ok := r.mergeSpecial(name, b, x, y); ok {
			return v
		}
		merged = r.mergeChoices(name, b.all, x.all, y.all)
	}
	return r.show(name, choice{r.winner(name, merged), merged})
}

// show records the candidates of a field, if there are several, and returns the
// value to show.
func (r *record) show(name string, c choice) jsonl.Value {
	delete(r.held, name)
	if len(c.all) > 1 {
		for _, v := range c.all {
			r.held.add(name, v)
		}
	}
	return c.shown
}

// winner returns the candidate to show. Only the candidates decide, not how
// they met: clones that have the same ones show the same.
func (r *record) winner(name string, values []jsonl.Value) jsonl.Value {
	if r.kind == plan.KindSpec && name == "spec" {
		return r.m.liveSpec(values)
	}
	return longest(values)
}

// mergeSpecial merges a field that is more than one of several values, and
// tells whether it is such.
func (r *record) mergeSpecial(name string, b, x, y choice) (jsonl.Value, bool) {
	switch name {
	case "created_at":
		if r.kind != plan.KindSpec {
			return r.earlier(name, x.shown, y.shown), true
		}
	case "renamed_from":
		if v := mergeFormers(x.shown, y.shown); v != "" {
			return v, true
		}
	}
	return "", false
}

// mergeProse merges texts by words. Where edits overlap, there are two results:
// one with x's, one with y's. It is not ok where one side has no text.
func mergeProse(b, x, y jsonl.Value) (withX, withY jsonl.Value, ok bool) {
	xs, ys, exact := plainTexts(x, y)
	before, _ := b.Str()
	if !exact || strings.ContainsRune(before, utf8.RuneError) {
		return x, y, false
	}
	first, second, ok := textmerge.Choices(before, xs, ys)
	if !ok {
		return x, y, false
	}
	return jsonl.Quote(first), jsonl.Quote(second), true
}

// highest returns the highest of several priorities: of one there is, any is
// higher than none, and a word that we know than one that we do not.
func (r *record) highest(name string, values []jsonl.Value) []jsonl.Value {
	rank := func(v jsonl.Value) int {
		word, _ := v.Str()
		if word == "" {
			return plan.PriorityRank("") + 1
		}
		return plan.PriorityRank(word)
	}
	best := slices.MinFunc(values, func(a, b jsonl.Value) int { return rank(a) - rank(b) })
	return slices.DeleteFunc(values, func(v jsonl.Value) bool {
		lower := rank(v) > rank(best)
		if lower {
			r.m.lose(r.id, name, v)
		}
		return lower
	})
}

// earlier returns the earlier of two times of creation, or the one that there
// is.
func (r *record) earlier(name string, x, y jsonl.Value) jsonl.Value {
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
	r.m.lose(r.id, name, y)
	r.born = append(r.born, [2]string{r.id, max(xs, ys)})
	return x
}

// deps merges dependencies as sets: the base's, less what either side removed,
// then what either added, sorted. Those that a merge dropped count as well; it
// is seen again later whether they close a cycle.
func (r *record) deps() jsonl.Value {
	b, x, y := r.choice("deps", r.was, r.heldBefore), r.choice("deps", r.one, r.heldX), r.choice("deps", r.two, r.heldY)
	if len(b.all)+len(x.all)+len(y.all) == 3 {
		if v, ok := unchanged(b.shown, x.shown, y.shown, r.same("deps")); ok {
			return v
		}
	}
	all := mergeLists(b.union(), x.union(), y.union())
	if len(all) == 0 {
		return ""
	}
	if len(b.all)+len(x.all)+len(y.all) > 3 {
		r.held["deps"] = []jsonl.Value{jsonl.List(all), "[]"} // to be seen again
	}
	return jsonl.List(all)
}

// mergeLists merges lists as sets. One that only one side changed keeps its
// order.
func mergeLists(b, x, y []string) []string {
	switch {
	case slices.Equal(x, y):
		return x
	case isSameList(x, y):
		return slices.Sorted(slices.Values(x))
	case isSameList(b, y):
		return x
	case isSameList(b, x):
		return y
	}
	all := slices.DeleteFunc(slices.Concat(x, y), func(s string) bool {
		return slices.Contains(b, s) && !(slices.Contains(x, s) && slices.Contains(y, s))
	})
	slices.Sort(all)
	return slices.Compact(all)
}

func isSameList(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}
