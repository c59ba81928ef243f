package merge

import (
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/textmerge"
)

// A record is three versions of a record while their fields are merged. The
// base may have none.
type record struct {
	m    *merger
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
	r := record{m: m, kind: e.kind, id: e.id, held: candidates{}}
	r.was, r.heldBefore = r.read(e.was[base])
	r.one, r.heldX = r.read(e.was[one])
	r.two, r.heldY = r.read(e.was[two])
	if e.kind == plan.KindTask {
		r.foldNames()
	}
	state := r.state()
	for _, name := range allNames(r.was, r.one, r.two) {
		v := jsonl.Value("")
		switch {
		case name == "conflict":
			continue
		case e.kind == plan.KindTask && slices.Contains(stateFields[:], name):
			v = get(state, name)
			r.held[name] = mergeCandidates(r.heldBefore[name], r.heldX[name], r.heldY[name])
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

// finish builds the merged record.
func (r *record) finish() plan.Record {
	for _, held := range [...]candidates{r.heldBefore, r.heldX, r.heldY} {
		for name := range held {
			if _, done := r.held[name]; !done {
				r.held[name] = mergeCandidates(r.heldBefore[name], r.heldX[name], r.heldY[name])
			}
		}
	}
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

// field merges one field, and the candidates that were recorded of it.
func (r *record) field(name string) jsonl.Value {
	b, x, y := get(r.was, name), get(r.one, name), get(r.two, name)
	recorded := mergeCandidates(r.heldBefore[name], r.heldX[name], r.heldY[name])
	r.held[name] = recorded
	had, inX, inY := len(r.heldBefore[name]) > 0, len(r.heldX[name]) > 0, len(r.heldY[name]) > 0
	switch {
	case had && inX && !inY:
		return r.settled(name, b, y, x)
	case had && inY && !inX:
		return r.settled(name, b, x, y)
	}
	if name == "created_at" && isAbsent(r.kind, name, x) != isAbsent(r.kind, name, y) {
		return r.earlier(name, x, y) // it is part of what the record is: no side can take it away
	}
	same := func(a, b jsonl.Value) bool { return sameField(r.kind, name, a, b) }
	if v, ok := unchanged(b, x, y, same); ok {
		return v
	}
	if len(recorded) > 0 {
		return r.choose(name, x, y)
	}
	return r.mergeField(name, b, x, y)
}

// settled merges a field whose recorded conflict one side settled: its value
// holds, and what the other side says newly stays a candidate.
func (r *record) settled(name string, b, decided, other jsonl.Value) jsonl.Value {
	same := func(a, b jsonl.Value) bool { return sameField(r.kind, name, a, b) }
	if !same(b, other) && !same(decided, other) && !r.heldBefore.has(name, orNull(other)) {
		r.held.add(name, other)
	}
	open := func(v jsonl.Value) bool { return !same(v, orNull(decided)) }
	if slices.ContainsFunc(r.held[name], open) {
		r.held.add(name, decided)
	} else {
		delete(r.held, name)
		r.held[name] = nil
	}
	return decided
}

func orNull(v jsonl.Value) jsonl.Value {
	if v == "" {
		return "null"
	}
	return v
}

// choose records candidates, and returns the one to show.
func (r *record) choose(name string, values ...jsonl.Value) jsonl.Value {
	for _, v := range values {
		r.held.add(name, v)
	}
	if r.kind == plan.KindSpec && name == "spec" {
		return r.m.liveSpec(r.held[name])
	}
	return longest(r.held[name])
}

// mergeField merges a field that both sides changed, each in its own way.
func (r *record) mergeField(name string, b, x, y jsonl.Value) jsonl.Value {
	if r.kind != plan.KindSpec {
		switch name {
		case "deps":
			return mergeDeps(b, x, y)
		case "priority":
			return r.higher(name, x, y)
		case "created_at":
			return r.earlier(name, x, y)
		case "name", "notes", "accept", "desc", "reason":
			if v, ok := mergeProse(b, x, y); ok {
				return v
			}
		case "renamed_from":
			if v := mergeFormers(x, y); v != "" {
				return v
			}
		}
	}
	if first, second := mergeValue(b, x, y); first != second {
		return r.choose(name, first, second)
	} else {
		return first
	}
}

// mergeProse merges texts by words. It is not ok where edits overlap, or where
// one side has no text.
func mergeProse(b, x, y jsonl.Value) (jsonl.Value, bool) {
	xs, ys, exact := plainTexts(x, y)
	before, _ := b.Str()
	if !exact || strings.ContainsRune(before, '\uFFFD') {
		return "", false
	}
	merged, ok := textmerge.Merge(before, xs, ys)
	return jsonl.Quote(merged), ok
}

// higher returns the higher of two priorities.
func (r *record) higher(name string, x, y jsonl.Value) jsonl.Value {
	xs, _ := x.Str()
	ys, _ := y.Str()
	rankX, rankY := plan.PriorityRank(xs), plan.PriorityRank(ys)
	switch {
	case rankX == rankY && (xs == "" || ys == ""): // a word that we do not know, and none
		rankX, rankY = len(ys), len(xs)
	case rankX == rankY:
		return r.choose(name, x, y)
	}
	if rankX > rankY {
		x, y = y, x
	}
	r.m.lose(r.id, name, y)
	return x
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

// mergeDeps merges dependencies as sets: the base's, less what either side
// removed, then what either added, sorted.
func mergeDeps(b, x, y jsonl.Value) jsonl.Value {
	before, _ := b.Strings()
	xs, _ := x.Strings()
	ys, _ := y.Strings()
	kept := slices.DeleteFunc(distinct(before), func(dep string) bool {
		return !slices.Contains(xs, dep) || !slices.Contains(ys, dep)
	})
	added := slices.DeleteFunc(slices.Concat(xs, ys), func(dep string) bool { return slices.Contains(before, dep) })
	slices.Sort(added)
	all := append(kept, slices.Compact(added)...)
	if len(all) == 0 {
		return ""
	}
	return jsonl.List(all)
}
