package merge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// sameField is jsonl.Equal for a field of a record: in known fields, null is no
// value.
func sameField(kind plan.Kind, field string, a, b jsonl.Value) bool {
	return jsonl.Equal(a, b) || isAbsent(kind, field, a) && isAbsent(kind, field, b)
}

func isAbsent(kind plan.Kind, field string, v jsonl.Value) bool {
	return v == "" || v == "null" && plan.IsKnown(kind, field)
}

// texts returns the strings of two sides and of the base, which may be no string, and whether they are exact: decoding loses
// an escape that stands for half a character.
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

// maxLinear is the number of members up to which they are searched one by one.
const maxLinear = 16

// An index finds members by their names.
type index struct {
	all []jsonl.Member
	at  map[string]int // nil for few members
}

func indexed(all []jsonl.Member) index {
	in := index{all: all}
	if len(all) > maxLinear {
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
// have them does not count: otherwise clones that merge in different orders
// would end with different bytes.
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

// named returns a member with a value and, of the spellings of its name in the
// versions, the smallest.
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

// unchanged merges three values if two of them are the same, and reports
// whether they are. Of two spellings the smaller one stays, whatever the base
// has; see plainer.
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
