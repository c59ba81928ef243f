package mergeoracle

import (
	"slices"
	"strings"
)

// types says what the members of a record hold (docs/plan-format.md): the names of members, by what they hold, by the kind of the record.
var types = map[string]map[string]string{
	"spec": {"text": "t spec", "object": "conflict"},
	"task": {
		"text":   "t id spec name notes accept s done_at priority reject kill kill_log created_at role attempt",
		"texts":  "deps labels renamed_from",
		"object": "meta conflict", "text or texts": "check", "anything": "parent created_from supersedes",
	},
	"issue": {"text": "t id spec desc created_at priority", "texts": "labels renamed_from", "object": "meta conflict"},
	"item": {
		"text":   "t id name desc state estimate url created_at",
		"texts":  "blocked_by files labels renamed_from",
		"object": "artifacts meta conflict", "number": "number", "anything": "parent",
	},
	"reject": {"text": "t id done_at reason attempt"},
}

// typeOf returns what a member holds; "" for one that is not known.
func typeOf(kind, name string) string {
	for what, names := range types[kind] {
		if slices.Contains(strings.Fields(names), name) {
			return what
		}
	}
	return ""
}

func isKnown(kind, name string) bool { return typeOf(kind, name) != "" }

// canHold reports whether a field can hold a value.
func canHold(kind, name string, v value) bool {
	if v == none {
		return true
	}
	_, isList := v.list()
	switch typeOf(kind, name) {
	case "text":
		return v[0] == '"'
	case "texts":
		return isList
	case "text or texts":
		return v[0] == '"' || isList
	case "object":
		return v[0] == '{'
	case "number":
		return strings.ContainsRune("-0123456789", rune(v[0]))
	}
	return true
}
