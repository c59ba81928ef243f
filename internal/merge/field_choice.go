package merge

import (
	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
	"git-ralph/internal/textmerge"
)

// A choice is what a version has in a field: the value that it shows, and all
// candidates. Without a recorded conflict, the shown value is the only one. ""
// is no value.
type choice struct {
	shown jsonl.Value
	all   *valueSet // the shown one among them
	odd   *valueSet // candidates that the field cannot hold
}

// choice reads a field of a version.
func (r *fieldMerger) choice(name string, from index, held candidates) choice {
	c := choice{shown: from.get(name), all: newValueSet(r.key(name)), odd: newCandidates()}
	if isAbsent(r.kind, name, c.shown) {
		c.shown = ""
	}
	for _, v := range held.of(name).all {
		switch {
		case !plan.CanHold(r.kind, name, v):
			c.odd.add(v)
		case v == "null" && c.shown != "null":
			c.all.add("")
		default:
			c.all.add(v)
		}
	}
	if !c.all.has(c.shown) {
		c.all.add(c.shown)
	}
	return c
}

// union returns the elements of all candidates, which are lists, in the order
// of one that has them all.
func (c choice) union() []string {
	var all, longest []string
	for _, v := range append([]jsonl.Value{c.shown}, c.all.all...) {
		elements := elementsOf(v)
		all = append(all, elements...)
		if len(elements) > len(longest) {
			longest = elements
		}
	}
	if all = distinct(all); len(longest) == len(all) {
		return longest
	}
	return all
}

// key returns a function that distinguishes the values of a field.
func (r *fieldMerger) key(name string) func(v jsonl.Value) string {
	return func(v jsonl.Value) string {
		if isAbsent(r.kind, name, v) {
			return ""
		}
		return r.comparer.Canonical(v)
	}
}

func (r *fieldMerger) same(name string) func(a, b jsonl.Value) bool {
	key := r.key(name)
	return func(a, b jsonl.Value) bool { return a == b || key(a) == key(b) }
}

// mergeChoices merges the candidates of a field, and chooses the value to show.
// A value to which one side resolved a conflict is shown, whatever the other
// side has merged since.
func (r *fieldMerger) mergeChoices(name string, b, x, y choice) choice {
	merged := newValueSet(b.all.key)
	if len(b.all.all) == 1 && len(x.all.all) == 1 && len(y.all.all) == 1 {
		merged.add(r.mergeValues(name, b.shown, x.shown, y.shown)...)
	} else {
		merged = mergeSets(b.all, x.all, y.all)
	}
	if r.isRanked(name) {
		merged = newValueSet(b.all.key, r.highest(name, merged.all)...)
	}
	resolvedX, resolvedY := resolved(b.all, x.all), resolved(b.all, y.all)
	switch {
	case resolvedX && !resolvedY && merged.has(x.shown):
		return choice{shown: x.shown, all: merged}
	case resolvedY && !resolvedX && merged.has(y.shown):
		return choice{shown: y.shown, all: merged}
	}
	return choice{shown: r.winner(name, merged.all), all: merged}
}

// mergeValues merges three values of which no two are the same: texts by words,
// objects by members. If the edits contradict each other, two are left.
func (r *fieldMerger) mergeValues(name string, b, x, y jsonl.Value) []jsonl.Value {
	switch {
	case r.kind != plan.KindSpec && plan.IsProse(name):
		base, one, two, exact := texts(b, x, y)
		if !exact {
			break
		}
		merged, steps, ok := textmerge.Merge(base, one, two)
		r.m.steps += steps
		if ok {
			return []jsonl.Value{jsonl.Quote(merged)}
		}
	case r.isSet(name):
		if r.isSetOf(name, x) && r.isSetOf(name, y) {
			if all := mergeLists(elementsOf(b), elementsOf(x), elementsOf(y)); len(all) > 0 {
				return []jsonl.Value{listOf(all)}
			}
			return []jsonl.Value{""}
		}
	case isObject(x) && isObject(y) && !b.IsDeep() && !x.IsDeep() && !y.IsDeep():
		if name == "meta" && r.kind == plan.KindTask {
			x, y = unifyItems(&r.comparer, b, x, y)
		}
		if name == "meta" && r.kind == plan.KindItem {
			x, y = unifyAgreed(x, y)
		}
		withX, withY := mergeObjects(&r.comparer, b, x, y)
		return []jsonl.Value{withX, withY}
	}
	return []jsonl.Value{x, y}
}

// isSet reports whether a field is a list that is merged as a set.
func (r *fieldMerger) isSet(name string) bool {
	return name == "labels" && r.kind != plan.KindSpec || name == "files" && r.kind == plan.KindItem
}

// isSetOf reports whether a value of such a field is a list. A missing field is an empty one, as with dependencies.
func (r *fieldMerger) isSetOf(name string, v jsonl.Value) bool {
	return isList(v) || isAbsent(r.kind, name, v)
}
