package plan

import (
	"strings"

	"git-ralph/internal/jsonl"
)

// A Record is one line of the plan: an object and what is known of it. It is
// immutable; changing a record means putting another in its place.
type Record struct {
	object jsonl.Object
	kind   Kind
	id     string
	line   int    // where it was read, from 1; 0 for a new one
	ending string // the line's ending, "" on a last line without one
}

// newRecord reads kind and id from an object.
func newRecord(o jsonl.Object) Record {
	r := Record{object: o, ending: "\n"}
	r.kind = Kind(r.Text("t"))
	r.id = r.Text("id")
	return r
}

// Kind returns the record's "t", "" where it has none.
func (r Record) Kind() Kind { return r.kind }

// ID returns the record's "id", "" where it has none.
func (r Record) ID() string { return r.id }

// Line returns the line of the file that the record was read from, from 1, or
// 0 for a record that is new.
func (r Record) Line() int { return r.line }

// Object returns the record's members.
func (r Record) Object() jsonl.Object { return r.object }

// JSON returns the record as its line holds it, without the line's ending.
func (r Record) JSON() string { return r.object.Text() }

// Has tells whether the record has a member that is not null.
func (r Record) Has(name string) bool {
	v, found := r.object.Get(name)
	return found && v.Kind() != jsonl.Null
}

// Text returns a member that is a string, else "".
func (r Record) Text(name string) string {
	v, _ := r.object.Get(name)
	s, _ := v.Str()
	return s
}

// Texts returns a member that is an array of strings, else nil.
func (r Record) Texts(name string) []string {
	v, _ := r.object.Get(name)
	list, _ := v.Strings()
	return list
}

// Name returns a task's name; in a legacy task it stands in "desc". For an
// issue it is the description.
func (r Record) Name() string {
	if r.kind != KindIssue && r.Has("name") {
		return r.Text("name")
	}
	return r.Text("desc")
}

// Spec returns the spec that the record belongs to.
func (r Record) Spec() string { return r.Text("spec") }

// Done tells whether a task is done. A task that is not done is pending,
// whatever its "s" says.
func (r Record) Done() bool { return r.Text("s") == "d" }

// State returns "pending" or "done".
func (r Record) State() string {
	if r.Done() {
		return "done"
	}
	return "pending"
}

// Deps returns the ids that a task waits for.
func (r Record) Deps() []string { return r.Texts("deps") }

// CreatedAt returns when the record was made, as an RFC 3339 date in UTC, or ""
// where it does not say. Dates in UTC of equal precision sort as strings.
func (r Record) CreatedAt() string { return r.Text("created_at") }

// SameTask tells whether two records are the same task or issue: by id, and by
// the time of creation where both have it.
func (r Record) SameTask(other Record) bool {
	if r.kind != other.kind || r.id != other.id {
		return false
	}
	a, b := r.CreatedAt(), other.CreatedAt()
	return a == "" || b == "" || a == b
}

// blank tells whether the record is an empty line, which is kept but carries
// nothing.
func (r Record) blank() bool { return r.object.Len() == 0 && strings.TrimSpace(r.object.Text()) == "" }

// with returns the record with members set, and in the order in which records
// are written: known fields first, unknown ones as they stood. Members that do
// not change keep their bytes. A zero value removes its member.
func (r Record) with(changes ...jsonl.Member) Record {
	members := r.object.Members()
	for _, change := range changes {
		members = set(members, change)
	}
	object := jsonl.Build(inOrder(r.kind, members))
	changed := newRecord(object)
	changed.line, changed.ending = r.line, r.ending
	return changed
}

// set puts a member in its namesake's place, at the end where there is none.
func set(members []jsonl.Member, change jsonl.Member) []jsonl.Member {
	for i, m := range members {
		if m.Name != change.Name {
			continue
		}
		if change.Value == "" {
			return append(members[:i], members[i+1:]...)
		}
		members[i].Value = change.Value
		return members
	}
	if change.Value == "" {
		return members
	}
	return append(members, change)
}

// inOrder returns members in the order in which a record of the kind is
// written.
func inOrder(kind Kind, members []jsonl.Member) []jsonl.Member {
	known := fields(kind)
	ordered := make([]jsonl.Member, 0, len(members))
	for _, f := range known {
		for _, m := range members {
			if m.Name == f.name {
				ordered = append(ordered, m)
			}
		}
	}
	for _, m := range members {
		if !isKnown(known, m.Name) {
			ordered = append(ordered, m)
		}
	}
	return ordered
}

func isKnown(known []field, name string) bool {
	for _, f := range known {
		if f.name == name {
			return true
		}
	}
	return false
}

// member names a value for Record.with. An empty string removes the member.
func member(name, value string) jsonl.Member {
	if value == "" {
		return jsonl.Member{Name: name}
	}
	return jsonl.Member{Name: name, Value: jsonl.Quote(value)}
}

// list is member for an array of strings. An empty array removes the member.
func list(name string, values []string) jsonl.Member {
	if len(values) == 0 {
		return jsonl.Member{Name: name}
	}
	return jsonl.Member{Name: name, Value: jsonl.List(values)}
}
