package merge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// sameValue tells whether two values say the same. The spelling of a number is
// part of its value; the spelling of a string, white space and the order of
// members are not. "" is no value.
func sameValue(a, b jsonl.Value) bool {
	if a == b {
		return true
	}
	if a == "" || b == "" || a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case jsonl.String:
		x, y, exact := plainTexts(a, b)
		return exact && x == y
	case jsonl.Array:
		x, _ := a.Elements()
		y, _ := b.Elements()
		return slices.EqualFunc(x, y, sameValue)
	case jsonl.Map:
		return sameObject(object(a), object(b))
	}
	return false
}

func sameObject(a, b []jsonl.Member) bool {
	if len(a) != len(b) {
		return false
	}
	return !slices.ContainsFunc(a, func(m jsonl.Member) bool { return !sameValue(m.Value, get(b, m.Name)) })
}

// sameField is sameValue for a field of a record: in known fields, null is no
// value.
func sameField(kind plan.Kind, field string, a, b jsonl.Value) bool {
	return sameValue(a, b) || isAbsent(kind, field, a) && isAbsent(kind, field, b)
}

func isAbsent(kind plan.Kind, field string, v jsonl.Value) bool {
	return v == "" || v == "null" && plan.IsKnown(kind, field)
}

// plainTexts returns two strings, and whether that is all that they say: an
// escape may stand for half a character, which decoding cannot keep.
func plainTexts(a, b jsonl.Value) (x, y string, exact bool) {
	x, okX := a.Str()
	y, okY := b.Str()
	return x, y, okX && okY && !strings.ContainsRune(x, utf8.RuneError) && !strings.ContainsRune(y, utf8.RuneError)
}

// object returns the members of a value that is an object; others have none.
func object(v jsonl.Value) []jsonl.Member {
	if v == "" || v[0] != '{' {
		return nil
	}
	o, _ := jsonl.ParseObject(string(v)) // was read before
	return o.Members()
}

// allNames returns the names of members, sorted. The order in which versions
// have them does not count: clones that merge in different orders would
// otherwise end with different bytes.
func allNames(versions ...[]jsonl.Member) []string {
	var names []string
	for _, version := range versions {
		for _, m := range version {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// named returns a member with a value, its name in the least spelling that any
// version has.
func named(name string, v jsonl.Value, versions ...[]jsonl.Member) jsonl.Member {
	best := jsonl.Member{Name: name, Value: v}
	found := false
	for _, version := range versions {
		for _, m := range version {
			if m.Name != name {
				continue
			}
			if m.Value = v; !found || spelling(m) < spelling(best) {
				best, found = m, true
			}
		}
	}
	return best
}

func spelling(m jsonl.Member) string { return jsonl.Build([]jsonl.Member{m}).Text() }

// unchanged merges three values of which two are the same, and tells whether
// that is so. Of two spellings the lesser one stays, whatever the base has; see
// plainer.
func unchanged(b, x, y jsonl.Value, same func(a, b jsonl.Value) bool) (jsonl.Value, bool) {
	switch {
	case x == y:
		return x, true
	case same(x, y):
		return min(x, y), true
	case same(b, y):
		return x, true
	case same(b, x):
		return y, true
	}
	return "", false
}
