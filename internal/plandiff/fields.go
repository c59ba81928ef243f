package plandiff

import (
	"slices"
	"strings"
	"unicode/utf8"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A Field is a field that differs between two versions of a record.
type Field struct {
	Name   string
	Before jsonl.Value // "" where there was none
	After  jsonl.Value // "" where there is none
	Words  []Span      // of prose that both versions have
	List   *ListChange // of arrays of strings that both versions have
}

// Change tells whether the field was added, removed or changed.
func (f Field) Change() Change {
	switch {
	case f.Before == "":
		return Added
	case f.After == "":
		return Removed
	}
	return Changed
}

// A ListChange is what became of an array of strings. Both are empty where
// only the order changed.
type ListChange struct {
	Added, Removed []string
}

// fields returns what differs between two versions of a record: changed and
// removed fields in the order of the old one, then added ones.
func fields(before, after plan.Record) []Field {
	old, now := members(before), members(after)
	var changed []Field
	for _, m := range old {
		if v := get(now, m.Name); v == "" || !equal(m.Value, v) {
			changed = append(changed, newField(m.Name, m.Value, v))
		}
	}
	for _, m := range now {
		if get(old, m.Name) == "" {
			changed = append(changed, newField(m.Name, "", m.Value))
		}
	}
	return changed
}

// members returns the fields of a record. The name of a legacy task, which
// stands in "desc", is a name.
func members(r plan.Record) []jsonl.Member {
	list := r.Object().Members()
	if r.Kind() != plan.KindTask || r.Has("name") || !r.Has("desc") {
		return list
	}
	list = slices.DeleteFunc(list, func(m jsonl.Member) bool { return m.Name == "name" })
	for i := range list {
		if list[i].Name == "desc" {
			list[i].Name = "name"
		}
	}
	return list
}

func get(members []jsonl.Member, name string) jsonl.Value {
	for _, m := range members {
		if m.Name == name {
			return m.Value
		}
	}
	return ""
}

func newField(name string, before, after jsonl.Value) Field {
	f := Field{Name: name, Before: before, After: after}
	if f.Change() != Changed {
		return f
	}
	if a, ok := before.Str(); ok && isProse(name) {
		if b, ok := after.Str(); ok {
			f.Words = Words(a, b)
		}
	}
	if a, ok := before.Strings(); ok {
		if b, ok := after.Strings(); ok {
			f.List = &ListChange{Added: without(b, a), Removed: without(a, b)}
		}
	}
	return f
}

// isProse tells whether a field is written by people, in sentences.
func isProse(name string) bool {
	return slices.Contains([]string{"name", "notes", "accept", "desc", "reason"}, name)
}

// without returns the elements of list that others has not, repetitions counted.
func without(list, others []string) []string {
	others = slices.Clone(others)
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool {
		i := slices.Index(others, s)
		if i >= 0 {
			others = slices.Delete(others, i, i+1)
		}
		return i >= 0
	})
}

// equal tells whether two values mean the same: escapes, white space and the
// order of an object's members carry no meaning. The spelling of a number is
// its value (docs/plan-format.md).
func equal(a, b jsonl.Value) bool {
	if a == b {
		return true
	}
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case jsonl.String:
		return equalStrings(a, b)
	case jsonl.Array:
		x, _ := a.Elements()
		y, _ := b.Elements()
		return slices.EqualFunc(x, y, equal)
	case jsonl.Map:
		return equalObjects(a, b)
	}
	return false
}

// equalStrings compares what two literals stand for. Lone surrogates all
// decode to the same character, so there only the spelling tells.
func equalStrings(a, b jsonl.Value) bool {
	x, _ := a.Str()
	y, _ := b.Str()
	return x == y && !strings.ContainsRune(x, utf8.RuneError)
}

func equalObjects(a, b jsonl.Value) bool {
	x, errX := jsonl.ParseObject(string(a))
	y, errY := jsonl.ParseObject(string(b))
	if errX != nil || errY != nil || x.Len() != y.Len() {
		return false
	}
	return !slices.ContainsFunc(x.Members(), func(m jsonl.Member) bool {
		v, found := y.Get(m.Name)
		return !found || !equal(m.Value, v)
	})
}
