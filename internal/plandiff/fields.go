package plandiff

import (
	"slices"

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

// Change reports whether the field was added, removed or changed.
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

// Fields returns what differs between two versions of a record: changed and
// removed fields in the order of the old one, then added ones.
func Fields(before, after plan.Record) []Field {
	var changed []Field
	for _, c := range plan.ChangedFields(before, after) {
		changed = append(changed, newField(c.Name, c.Before, c.After))
	}
	return changed
}

func newField(name string, before, after jsonl.Value) Field {
	f := Field{Name: name, Before: before, After: after}
	if f.Change() != Changed {
		return f
	}
	if a, ok := before.Str(); ok && plan.IsProse(name) {
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

// without returns the elements of list that others lacks, counting repetitions.
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
