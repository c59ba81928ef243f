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
type candidates map[string][]jsonl.Value

func conflictsOf(r plan.Record) candidates {
	v, _ := r.Get("conflict")
	held := candidates{}
	for _, m := range object(v) {
		if values, isArray := m.Value.Elements(); isArray {
			for _, c := range values {
				held.add(m.Name, c)
			}
		} else {
			held.add(m.Name, m.Value)
		}
	}
	return held
}

func (c candidates) has(field string, v jsonl.Value) bool { return holds(c[field], v) }

func holds(values []jsonl.Value, v jsonl.Value) bool {
	return slices.ContainsFunc(values, func(w jsonl.Value) bool { return sameValue(v, w) })
}

// add records a candidate. Of two spellings the lesser one stays.
func (c candidates) add(field string, v jsonl.Value) {
	v = cmp.Or(v, "null")
	i := slices.IndexFunc(c[field], func(w jsonl.Value) bool { return sameValue(v, w) })
	if i >= 0 {
		c[field][i] = min(c[field][i], v)
		return
	}
	c[field] = append(c[field], v)
}

// value returns what the field "conflict" is to hold, "" where there is none.
func (c candidates) value() jsonl.Value {
	var all []jsonl.Member
	for _, field := range slices.Sorted(maps.Keys(c)) {
		values := slices.Clone(c[field])
		if len(values) == 0 {
			continue
		}
		slices.Sort(values)
		v := jsonl.Value("true")
		if field != Removed || len(values) > 1 || values[0] != "true" {
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

// mergeCandidates merges what three versions recorded of one field: the base's
// candidates less what either side removed, plus what either added.
func mergeCandidates(b, x, y []jsonl.Value) []jsonl.Value {
	merged := candidates{}
	for _, v := range slices.Concat(b, x, y) {
		inX, inY := holds(x, v), holds(y, v)
		if inX && inY || !holds(b, v) {
			merged.add("", v)
		}
	}
	return merged[""]
}

// longest returns the candidate that a record shows: the longer one, then the
// one of greater bytes. No value is shorter than any.
func longest(values []jsonl.Value) jsonl.Value {
	return slices.MaxFunc(values, func(a, b jsonl.Value) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(string(a), string(b)))
	})
}
