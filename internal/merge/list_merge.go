package merge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// notText begins an element with an escape for half a character, which is kept
// as an escape. No valid text contains this byte.
const notText = "\xff"

// elementsOf returns the elements of a list of strings; other values have none.
func elementsOf(v jsonl.Value) []string {
	all, _ := v.Strings()
	if !slices.ContainsFunc(all, func(s string) bool { return strings.ContainsRune(s, utf8.RuneError) }) {
		return all
	}
	i := 0
	for e := range v.All() {
		if strings.ContainsRune(all[i], utf8.RuneError) {
			all[i] = notText + jsonl.Canonical(e)
		}
		i++
	}
	return all
}

// listOf is the inverse of elementsOf.
func listOf(all []string) jsonl.Value {
	if !slices.ContainsFunc(all, func(s string) bool { return strings.HasPrefix(s, notText) }) {
		return jsonl.List(all)
	}
	values := make([]jsonl.Value, len(all))
	for i, s := range all {
		if spelled, found := strings.CutPrefix(s, notText); found {
			values[i] = jsonl.Value(spelled)
		} else {
			values[i] = jsonl.Quote(s)
		}
	}
	return array(values)
}

func isList(v jsonl.Value) bool {
	_, ok := v.Strings()
	return ok
}

// depsOf returns what a task or an item waits for.
func depsOf(r plan.Record) []string {
	v, _ := r.Get(r.Kind().WaitsField())
	return elementsOf(v)
}

// distinct drops repetitions.
func distinct(all []string) []string {
	if len(all) < 2 {
		return slices.Clone(all)
	}
	seen := make(map[string]bool, len(all))
	var kept []string
	for _, s := range all {
		if !seen[s] {
			seen[s] = true
			kept = append(kept, s)
		}
	}
	return kept
}

// mergeLists merges lists as sets. One that only one side changed keeps its
// order.
func mergeLists(b, x, y []string) []string {
	inB, inX, inY := plan.SetOf(b), plan.SetOf(x), plan.SetOf(y)
	same := func(a, b []string, in map[string]bool) bool {
		return len(a) == len(b) && !slices.ContainsFunc(a, func(s string) bool { return !in[s] })
	}
	switch {
	case slices.Equal(x, y):
		return x
	case same(x, y, inY):
		return slices.Sorted(slices.Values(x))
	case same(b, y, inY):
		return x
	case same(b, x, inX):
		return y
	}
	all := slices.DeleteFunc(slices.Concat(x, y), func(s string) bool { return inB[s] && !(inX[s] && inY[s]) })
	slices.Sort(all)
	return slices.Compact(all)
}
