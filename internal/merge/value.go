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

// allNames returns the names of members: the base's in their order, then new
// ones by name.
func allNames(base, x, y []jsonl.Member) []string {
	known := make(map[string]bool, len(base))
	var names []string
	for _, m := range base {
		names = append(names, m.Name)
		known[m.Name] = true
	}
	old := len(names)
	for _, side := range [...][]jsonl.Member{x, y} {
		for _, m := range side {
			if !known[m.Name] {
				names = append(names, m.Name)
				known[m.Name] = true
			}
		}
	}
	slices.Sort(names[old:])
	return names
}

// named returns a member with a value, its name spelled as in the base or,
// where it is new, as the sides spell it.
func named(name string, v jsonl.Value, base, x, y []jsonl.Member) jsonl.Member {
	var spelled []jsonl.Member
	for _, all := range [...][]jsonl.Member{base, x, y} {
		for _, m := range all {
			if m.Name == name {
				m.Value = v
				spelled = append(spelled, m)
			}
		}
	}
	if get(base, name) != "" || len(spelled) == 1 {
		return spelled[0]
	}
	return slices.MinFunc(spelled, func(a, b jsonl.Member) int {
		return strings.Compare(jsonl.Build([]jsonl.Member{a}).Text(), jsonl.Build([]jsonl.Member{b}).Text())
	})
}

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

// mergeValue merges three values. Objects are merged member by member. Where
// that leaves a choice, it returns what choosing one side throughout gives:
// two candidates. Otherwise both are the same.
func mergeValue(b, x, y jsonl.Value) (first, second jsonl.Value) {
	if v, ok := unchanged(b, x, y, sameValue); ok {
		return v, v
	}
	if x == "" || y == "" || x[0] != '{' || y[0] != '{' {
		return x, y
	}
	was, xs, ys := object(b), object(x), object(y)
	var ones, twos []jsonl.Member
	for _, n := range allNames(was, xs, ys) {
		v, w := mergeValue(get(was, n), get(xs, n), get(ys, n))
		if v != "" {
			ones = append(ones, named(n, v, was, xs, ys))
		}
		if w != "" {
			twos = append(twos, named(n, w, was, xs, ys))
		}
	}
	return jsonl.Value(jsonl.Build(ones).Text()), jsonl.Value(jsonl.Build(twos).Text())
}
