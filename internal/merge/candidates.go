package merge

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// candidates are the recorded conflicts of a record: the values that each
// field could have, as JSON. "null" stands for no value.
type candidates map[string]*valueSet

func conflictsOf(r plan.Record) candidates {
	v, _ := r.Get("conflict")
	held := candidates{}
	for _, m := range object(v) {
		if values, isArray := m.Value.Elements(); isArray {
			held.add(m.Name, values...)
		} else {
			held.add(m.Name, m.Value)
		}
	}
	return held
}

func (c candidates) has(field string, v jsonl.Value) bool {
	return c[field] != nil && c[field].has(v)
}

// holds reports whether a version with a recorded conflict of a field has a value
// in it, as a candidate or as what it shows.
func (c candidates) holds(field string, in index, v jsonl.Value) bool {
	held := c[field]
	return held != nil && (held.has(v) || held.key(in.get(field)) == held.key(v))
}

// of returns the candidates of a field.
func (c candidates) of(field string) *valueSet {
	if c[field] == nil {
		return newCandidates()
	}
	return c[field]
}

func newCandidates(some ...jsonl.Value) *valueSet {
	var c jsonl.Comparer
	return newValueSet(func(v jsonl.Value) string { return c.Canonical(cmp.Or(v, "null")) }, some...)
}

// add records candidates. Of two spellings the smaller one stays.
func (c candidates) add(field string, some ...jsonl.Value) {
	if c[field] == nil {
		c[field] = newCandidates()
	}
	for _, v := range some {
		c[field].add(cmp.Or(v, "null"))
	}
}

// value returns what the field "conflict" is to hold, "" where there is none.
func (c candidates) value() jsonl.Value {
	var all []jsonl.Member
	for _, field := range slices.Sorted(maps.Keys(c)) {
		values := slices.Clone(c[field].all)
		if len(values) == 0 {
			continue
		}
		slices.Sort(values)
		v := jsonl.Value("true")
		if field != plan.Removed || len(values) > 1 || values[0] != "true" {
			v = array(values)
		}
		all = append(all, jsonl.Member{Name: field, Value: v})
	}
	if len(all) == 0 {
		return ""
	}
	return jsonl.Value(jsonl.Build(all).Text())
}

func array(values []jsonl.Value) jsonl.Value {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	return jsonl.Value("[" + strings.Join(texts, ", ") + "]")
}

// mergeCandidates merges recorded candidates that no field shows: the base's
// less what either side removed, plus what either added.
func mergeCandidates(b, x, y *valueSet) *valueSet {
	merged := newCandidates()
	for _, side := range [...]*valueSet{b, x, y} {
		for _, v := range side.all {
			if x.has(v) && y.has(v) || !b.has(v) {
				merged.add(v)
			}
		}
	}
	return merged
}

// longest returns the candidate that a record shows: the longest, then the one
// that sorts last. No value is the shortest.
func longest(values []jsonl.Value) jsonl.Value {
	return slices.MaxFunc(values, func(a, b jsonl.Value) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(string(a), string(b)))
	})
}
