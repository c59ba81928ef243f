package mergeoracle

import (
	"slices"
	"strings"
)

// A record is a line of a plan that is merged by fields.
type record struct {
	line   string
	kind   string
	id     string
	fields map[string]value // without those that hold null
}

// A file is a plan: its records by kind and id, and all other lines.
type file struct {
	records map[string]record // by "task t-1"; that of the spec is "spec"
	lines   map[string]int    // how often there is a line that is not merged by fields
	isOdd   bool              // it has two records of the spec
}

// named are the kinds of records that have an identity.
var named = []string{"task", "issue", "item"}

func fileOf(data []byte) file {
	f := file{map[string]record{}, map[string]int{}, false}
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		r := recordOf(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
		switch _, has := f.records["spec"]; {
		case r.kind == "spec":
			f.records["spec"] = r
			f.isOdd = f.isOdd || has
		case slices.Contains(named, r.kind) && r.id != "":
			f.records[r.key()] = r
		default:
			f.lines[r.line]++
		}
	}
	return f
}

// recordOf reads a line. A known member that holds null is none.
func recordOf(line string) record {
	r := record{line: line, fields: map[string]value{}}
	all, _ := membersOf(strings.TrimSpace(line))
	for _, m := range all {
		if m.name == "t" {
			r.kind = valueOf(m.raw).text()
		}
	}
	for _, m := range all {
		if v := valueOf(m.raw); v != none || !isKnown(r.kind, m.name) {
			r.fields[m.name] = v
		}
	}
	r.id = r.fields["id"].text()
	return r
}

func (r record) key() string {
	if r.kind == "spec" {
		return r.kind
	}
	return r.kind + " " + r.id
}

func (r record) is() bool   { return r.line != "" }
func (r record) done() bool { return r.fields["s"] == `"d"` }

// name returns what a record is about.
func (r record) name() value {
	if v := r.fields["name"]; v != "" && r.kind == "task" || r.kind == "item" {
		return v
	}
	return r.fields["desc"]
}

// isSame reports whether two records of one id are the same one, of which the base has one or not.
func (r record) isSame(o record, areNew bool) bool {
	a, b := r.fields["created_at"], o.fields["created_at"]
	bothHave := a != "" && b != ""
	return r.kind == "spec" || bothHave && a == b || !bothHave && !areNew || r.name() == o.name() && r.fields["spec"] == o.fields["spec"]
}

// waitsField is the field that says what a record waits for.
func (r record) waitsField() string {
	if r.kind == "item" {
		return "blocked_by"
	}
	return "deps"
}

// pointers are the fields that name other records.
var pointers = []string{"deps", "blocked_by", "parent", "created_from", "supersedes"}

// pointsAt returns the ids that a field names.
func (r record) pointsAt(field string) []value {
	v := r.fields[field]
	if v.isText() {
		return []value{v}
	}
	all, _ := v.list()
	return all
}

// saysSame reports whether two versions of a record say the same, but for when it was made and which id it has. The name of a task may be
// in desc in one of them: then a desc of the other one says nothing else if it is that name.
func (r record) saysSame(o record) bool {
	for name := range merged(r.fields, o.fields) {
		a, b := r.fields[name], o.fields[name]
		switch {
		case a == b, name == "created_at", name == "renamed_from":
		case name == "name" && r.kind == "task" && r.name() == o.name():
		case name == "desc" && (a == "" && o.isUnnamed() || b == "" && r.isUnnamed()) && r.name() == o.name():
		default:
			return false
		}
	}
	return true
}

// isUnnamed reports whether a task has its name in desc.
func (r record) isUnnamed() bool { return r.kind == "task" && r.fields["name"] == "" }

// meaning is the same for all spellings of a record.
func (r record) meaning() value { return valueOf(r.line) }

// conflict returns the candidates that a record lists for each field, and whether it can be read. What is no list is one
// candidate.
func (r record) conflict() (all map[string][]value, ok bool) {
	all = map[string][]value{}
	v := r.fields["conflict"]
	if v == "" {
		return all, true
	}
	members, ok := membersOf(string(v))
	for _, m := range members {
		parts, isList := elementsOf(m.raw)
		if !isList {
			parts = []string{m.raw}
		}
		for _, p := range parts {
			all[m.name] = append(all[m.name], value(p))
		}
	}
	return all, ok
}
