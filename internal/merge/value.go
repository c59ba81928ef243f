package merge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// sameValue reports whether two values say the same. The spelling of a number is
// part of its value; the spelling of a string, white space and the order of
// members are not. "" is no value.
func sameValue(a, b jsonl.Value) bool { return new(keys).same(a, b) }

// keys are what values say, as texts: two values say the same if their keys are
// equal. Those of values that hold others are noted, so that what is asked again
// for each level of a value is found once.
type keys struct {
	noted map[jsonl.Value]string
	steps int // bytes looked at
}

func (ks *keys) same(a, b jsonl.Value) bool {
	switch {
	case a == b:
		return true
	case a == "" || b == "" || a.Kind() != b.Kind():
		return false
	}
	return ks.of(a) == ks.of(b)
}

// of returns the key of a value. A value that is nested too deeply is its own key.
func (ks *keys) of(v jsonl.Value) string {
	if v == "" || v[0] != '{' && v[0] != '[' {
		return scalarKey(v)
	}
	if k, found := ks.noted[v]; found {
		return k
	}
	if ks.steps += len(v); isDeep(v) {
		return string(v)
	}
	return ks.nested(v)
}

func (ks *keys) nested(v jsonl.Value) string {
	if v == "" || v[0] != '{' && v[0] != '[' {
		return scalarKey(v)
	}
	if k, found := ks.noted[v]; found {
		return k
	}
	ks.steps += len(v)
	var parts []string
	brackets := "[]"
	if v[0] == '{' {
		brackets = "{}"
		for _, m := range object(v) {
			parts = append(parts, scalarKey(m.Quoted())+":"+ks.nested(m.Value))
		}
		slices.Sort(parts)
	}
	for e := range v.All() {
		parts = append(parts, ks.nested(e))
	}
	k := brackets[:1] + strings.Join(parts, ",") + brackets[1:]
	if ks.noted == nil {
		ks.noted = map[jsonl.Value]string{}
	}
	ks.noted[v] = k
	return k
}

// scalarKey is the key of a value that holds no others. An escape may stand for
// half a character, which decoding cannot keep: such a string is as it is spelled.
func scalarKey(v jsonl.Value) string {
	if v == "" || v[0] != '"' || strings.IndexByte(string(v), '\\') < 0 {
		return string(v)
	}
	if s, _ := v.Str(); !strings.ContainsRune(s, utf8.RuneError) {
		return string(jsonl.Quote(s))
	}
	return string(v)
}

// deepest is how deeply values are nested that are compared and merged by what
// they hold. Deeper ones are compared as a whole.
const deepest = 64

// isDeep reports whether a value is nested deeper than that.
func isDeep(v jsonl.Value) bool {
	depth, inString := 0, false
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > deepest {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

func sameObject(a, b []jsonl.Member) bool {
	if len(a) != len(b) {
		return false
	}
	of := indexed(b)
	return !slices.ContainsFunc(a, func(m jsonl.Member) bool { return !sameValue(m.Value, of.get(m.Name)) })
}

// sameField is sameValue for a field of a record: in known fields, null is no
// value.
func sameField(kind plan.Kind, field string, a, b jsonl.Value) bool {
	return sameValue(a, b) || isAbsent(kind, field, a) && isAbsent(kind, field, b)
}

func isAbsent(kind plan.Kind, field string, v jsonl.Value) bool {
	return v == "" || v == "null" && plan.IsKnown(kind, field)
}

// texts returns two strings and a third, the base, which may be none, and whether that is all that they say:
// an escape may stand for half a character, which decoding cannot keep.
func texts(b, x, y jsonl.Value) (base, one, two string, exact bool) {
	one, isOne := x.Str()
	two, isTwo := y.Str()
	base, _ = b.Str()
	broken := func(s string) bool { return strings.ContainsRune(s, utf8.RuneError) }
	return base, one, two, isOne && isTwo && !broken(base) && !broken(one) && !broken(two)
}

// object returns the members of a value that is an object; others have none.
func object(v jsonl.Value) []jsonl.Member { return v.Object().Members() }

func isObject(v jsonl.Value) bool { return v != "" && v[0] == '{' }

// few is up to how many members are searched one by one.
const few = 16

// An index finds members by their names.
type index struct {
	all []jsonl.Member
	at  map[string]int // nil for a few
}

func indexed(all []jsonl.Member) index {
	in := index{all: all}
	if len(all) > few {
		in.at = make(map[string]int, len(all))
		for i, m := range all {
			in.at[m.Name] = i
		}
	}
	return in
}

func (in index) find(name string) (jsonl.Member, bool) {
	if in.at != nil {
		i, found := in.at[name]
		if !found {
			return jsonl.Member{}, false
		}
		return in.all[i], true
	}
	for _, m := range in.all {
		if m.Name == name {
			return m, true
		}
	}
	return jsonl.Member{}, false
}

// get returns the value of a member, "" where there is none.
func (in index) get(name string) jsonl.Value {
	m, _ := in.find(name)
	return m.Value
}

// allNames returns the names of members, sorted. The order in which versions
// have them does not count: clones that merge in different orders would
// otherwise end with different bytes.
func allNames(versions ...index) []string {
	var names []string
	for _, version := range versions {
		for _, m := range version.all {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// named returns a member with a value, its name in the least spelling that any
// version has.
func named(name string, v jsonl.Value, versions ...index) jsonl.Member {
	best := jsonl.Member{Name: name, Value: v}
	found := false
	for _, version := range versions {
		m, has := version.find(name)
		if has && (!found || m.Quoted() < best.Quoted()) {
			best, found = m, true
		}
	}
	best.Value = v
	return best
}

// unchanged merges three values of which two are the same, and reports whether
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
