package plan

import (
	"fmt"
	"slices"

	"git-ralph/internal/jsonl"
)

// A Kind is the value of a record's "t". Every other value is a kind that we
// do not know, and keep.
type Kind string

// The kinds of record that the format defines.
const (
	KindSpec   Kind = "spec"
	KindTask   Kind = "task"
	KindIssue  Kind = "issue"
	KindItem   Kind = "item"   // a unit of work of the pipeline
	KindReject Kind = "reject" // a tombstone
)

// asKind returns a kind, as a constant if the format defines it: the text would keep the whole file in memory.
func asKind(text string) Kind {
	for _, kind := range [...]Kind{KindTask, KindReject, KindIssue, KindItem, KindSpec} {
		if string(kind) == text {
			return kind
		}
	}
	return Kind(text)
}

// HasUniqueID reports whether an id names one record of the kind. Tombstones and records of unknown kinds may share one.
func (k Kind) HasUniqueID() bool { return k == KindTask || k == KindIssue || k == KindItem }

// WaitsField returns the field that lists what a record of the kind waits for, "" where it waits for nothing.
func (k Kind) WaitsField() string {
	switch k {
	case KindTask:
		return "deps"
	case KindItem:
		return "blocked_by"
	}
	return ""
}

// A shape is what a known field may hold.
type shape int

const (
	anything    shape = iota
	text              // a string
	texts             // an array of strings
	textOrTexts       // either
	number            // a number
	structure         // an object
)

// A field is a member that the format defines.
type field struct {
	name  string
	shape shape
}

// fields returns the known fields of a kind in the order in which they are
// written. A link that holds anything but one id is data, so links may hold any
// value.
func fields(kind Kind) []field {
	switch kind {
	case KindSpec:
		return specFields[:]
	case KindTask:
		return taskFields[:]
	case KindIssue:
		return issueFields[:]
	case KindItem:
		return itemFields[:]
	case KindReject:
		return rejectFields[:]
	}
	return nil
}

// Read-only tables.
var (
	specFields = [...]field{{"t", text}, {"spec", text}, {"conflict", structure}}
	taskFields = [...]field{
		{"t", text},
		{"id", text},
		{"spec", text},
		{"name", text},
		{"notes", text},
		{"accept", text},
		{"deps", texts},
		{"s", text},
		{"done_at", text},
		{"priority", text},
		{"reject", text},
		{"kill", text},
		{"kill_log", text},
		{"parent", anything},
		{"created_from", anything},
		{"supersedes", anything},
		{"created_at", text},
		{"labels", texts},
		{"role", text},
		{"check", textOrTexts},
		{"meta", structure},
		{"attempt", text},
		{"renamed_from", texts},
		{"conflict", structure},
	}
	issueFields = [...]field{
		{"t", text},
		{"id", text},
		{"spec", text},
		{"desc", text},
		{"created_at", text},
		{"priority", text},
		{"labels", texts},
		{"meta", structure},
		{"renamed_from", texts},
		{"conflict", structure},
	}
	itemFields = [...]field{
		{"t", text},
		{"id", text},
		{"number", number},
		{"name", text},
		{"desc", text},
		{"state", text},
		{"estimate", text},
		{"parent", anything},
		{"blocked_by", texts},
		{"files", texts},
		{"url", text},
		{"artifacts", structure},
		{"created_at", text},
		{"labels", texts},
		{"meta", structure},
		{"renamed_from", texts},
		{"conflict", structure},
	}
	rejectFields = [...]field{{"t", text}, {"id", text}, {"done_at", text}, {"reason", text}, {"attempt", text}}
)

// FieldNames returns the names of the fields that a kind of record has, and of
// the one in which an old task has its name.
func FieldNames(kind Kind) []string {
	names := []string{"desc"}
	for _, f := range fields(kind) {
		names = append(names, f.name)
	}
	return names
}

// fieldAt returns the place of a field in known, or -1. Most records hold
// their fields in the order of the table, so the search begins at next.
func fieldAt(known []field, name string, next int) int {
	for at := next; at < len(known); at++ {
		if known[at].name == name {
			return at
		}
	}
	for at := range min(next, len(known)) {
		if known[at].name == name {
			return at
		}
	}
	return -1
}

// mismatch says why a value does not have this shape, "" if it has. Null counts
// as an absent field, whatever its shape.
func (s shape) mismatch(v jsonl.Value) string {
	if s == anything || (s == text || s == textOrTexts) && v[0] == '"' {
		return ""
	}
	kind := v.Kind()
	if kind == jsonl.Null || kind == s.kind() && kind != jsonl.Array {
		return ""
	}
	if kind != s.kind() {
		return "is " + string(kind)
	}
	for e := range v.All() {
		if kind := e.Kind(); kind != jsonl.String {
			return "holds " + string(kind)
		}
	}
	return ""
}

// kind returns the kind of value that the shape is made of.
func (s shape) kind() jsonl.Kind {
	switch s {
	case texts, textOrTexts:
		return jsonl.Array
	case structure:
		return jsonl.Map
	case number:
		return jsonl.Number
	}
	return jsonl.String
}

// String describes the shape, for error messages.
func (s shape) String() string {
	switch s {
	case text:
		return "a string"
	case texts:
		return "an array of strings"
	case textOrTexts:
		return "a string or an array of strings"
	case structure:
		return "an object"
	case number:
		return "a number"
	}
	return "any value"
}

// example shows how a list is written, "" for what needs no example.
func (f field) example() string {
	switch {
	case f.shape != texts:
		return ""
	case f.name == "blocked_by":
		return `such as {"blocked_by": ["w-1a2b"]}`
	case f.name == "deps":
		return `such as {"deps": ["t-1a2b"]}`
	}
	return fmt.Sprintf(`such as {"%s": ["…"]}`, f.name)
}

// reserved are the fields that identify a record and hold its recorded
// conflicts: they are never in conflict themselves.
var reserved = [...]string{"t", "id", "conflict"}

// CanHold reports whether a value may be a candidate of a field: it is of the
// field's type, and the field is one that can be in conflict.
func CanHold(kind Kind, name string, v jsonl.Value) bool {
	if slices.Contains(reserved[:], name) {
		return false
	}
	return shapeOf(kind, name).mismatch(v) == ""
}

// shapeOf returns what a field may hold.
func shapeOf(kind Kind, name string) shape {
	known := fields(kind)
	if at := fieldAt(known, name, 0); at >= 0 {
		return known[at].shape
	}
	return anything
}
