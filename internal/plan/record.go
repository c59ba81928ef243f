package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"git-ralph/internal/jsonl"
)

// A Record is one line of the plan: an object and what is known of it. It is
// immutable; changing a record means putting another in its place.
type Record struct {
	text    string // the object, or white space: an empty line is kept
	kind    Kind
	kept    [keptFields]place
	created uint64 // see CreatedNumber
	line    int32  // where it was read, from 1; 0 for a new one
	rare    rare   // which rare members it has
	state   state
	ending  ending
}

// The fields that commands look at in every record. Their places are noted
// when a record is read; any other field is searched for when it is needed.
const (
	keptID = iota
	keptSpec
	keptName
	keptState
	keptDeps
	keptPriority
	keptCreated
	keptMeta
	keptFields
)

// rare is a set of members that few records have. Knowing that a record lacks
// one saves a search for it.
type rare uint8

func rareField(name string) rare {
	switch name {
	case "desc":
		return 1
	case "conflict":
		return 2
	case "blocked_by":
		return 4
	}
	return 0
}

// A state is the value of a task's "s". It is parsed when a record is read, like its kind, so that a scan of a large plan
// does not look into the text of every line.
type state uint8

const (
	pending state = iota // also without "s"
	done
	unknown
)

func stateOf(v jsonl.Value) state {
	switch text, isText := v.Str(); {
	case v == "", v == "null", text == "p":
		return pending
	case isText && text == "d":
		return done
	}
	return unknown
}

func keptField(name string) int {
	switch name {
	case "id":
		return keptID
	case "spec":
		return keptSpec
	case "name":
		return keptName
	case "s":
		return keptState
	case "deps":
		return keptDeps
	case "priority":
		return keptPriority
	case "created_at":
		return keptCreated
	case "meta":
		return keptMeta
	}
	return -1
}

// A place is where a value is in a record's text, in bytes. The zero place is
// that of a missing value.
type place struct{ from, to uint32 }

// newRecord makes a record of an object. It does not hold on to the object.
func newRecord(o jsonl.Object) Record {
	r := Record{text: o.Text(), ending: lineFeed}
	r.setKind(&o)
	for i := range o.Len() {
		r.keep(&o, i, o.Name(i))
	}
	return r
}

func (r *Record) setKind(o *jsonl.Object) {
	v, _ := o.Get("t")
	kind, _ := v.Str()
	r.kind = asKind(kind)
}

// keep notes the place of member i, if it is one to be noted.
func (r *Record) keep(o *jsonl.Object, i int, name string) {
	at := keptField(name)
	if at < 0 {
		r.rare |= rareField(name)
		return
	}
	from, to := o.Span(i)
	r.kept[at] = place{uint32(from), uint32(to)}
	switch at {
	case keptState:
		r.state = stateOf(r.keptValue(at))
	case keptCreated:
		r.created = createdNumber(r.keptValue(at))
	}
}

// Kind returns the record's "t", "" where it has none.
func (r Record) Kind() Kind { return r.kind }

// ID returns the record's "id", "" where it has none.
func (r Record) ID() string { return r.keptText(keptID) }

// Line returns the line of the file that the record was read from, from 1, or
// 0 for a record that is new.
func (r Record) Line() int { return int(r.line) }

// JSON returns the record as its line holds it, without the line's ending.
func (r Record) JSON() string { return r.text }

// Object parses the record; Get is cheaper for one member.
func (r Record) Object() jsonl.Object {
	o, _ := jsonl.ParseObject(r.text) // it was parsed when it was read
	return o
}

// Get returns the value of a member and whether there is one.
func (r *Record) Get(name string) (jsonl.Value, bool) {
	if at := keptField(name); at >= 0 {
		v := r.keptValue(at)
		return v, v != ""
	}
	if bit := rareField(name); bit != 0 && r.rare&bit == 0 {
		return "", false
	}
	if strings.IndexByte(r.text, '\\') < 0 && !strings.Contains(r.text, name) {
		return "", false
	}
	return jsonl.Find(r.text, name) // it was parsed when it was read
}

func (r *Record) keptValue(at int) jsonl.Value {
	return jsonl.Value(r.text[r.kept[at].from:r.kept[at].to])
}

func (r *Record) keptText(at int) string {
	text, _ := r.keptValue(at).Str()
	return text
}

// Has reports whether the record has a member that is not null.
func (r *Record) Has(name string) bool {
	v, found := r.Get(name)
	return found && v.Kind() != jsonl.Null
}

// Text returns a member that is a string, else "".
func (r *Record) Text(name string) string {
	v, _ := r.Get(name)
	s, _ := v.Str()
	return s
}

// Texts returns a member that is an array of strings, else nil.
func (r Record) Texts(name string) []string {
	v, _ := r.Get(name)
	list, _ := v.Strings()
	return list
}

// Checks returns the command lines that prove that a task is done.
func (r Record) Checks() []string {
	lines := r.Texts("check")
	if line := r.Text("check"); line != "" {
		lines = []string{line}
	}
	return slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" })
}

// Name returns a task's name; where there is none, as in old tasks, "desc". For
// an issue it is the description.
func (r *Record) Name() string {
	if name := r.keptText(keptName); name != "" && r.kind != KindIssue {
		return name
	}
	return r.Text("desc")
}

// Spec returns the spec that the record belongs to.
func (r Record) Spec() string { return r.keptText(keptSpec) }

// Priority returns "high", "medium", "low", "", or whatever other text is there.
func (r Record) Priority() string { return r.keptText(keptPriority) }

// Role returns the role of a task: a builder's, where it names none.
func (r *Record) Role() string {
	if role := strings.TrimSpace(r.Text("role")); role != "" {
		return role
	}
	return "builder"
}

// Pending reports whether a task is still to be done. A task without "s" is.
func (r Record) Pending() bool { return r.state == pending }

// Done reports whether a task is done. One in an unknown state is neither pending
// nor done: it is kept, and it blocks nothing.
func (r Record) Done() bool { return r.state == done }

// State returns "pending", "done", or a description of another state.
func (r Record) State() string {
	switch {
	case r.Pending():
		return "pending"
	case r.Done():
		return "done"
	}
	return fmt.Sprintf("in the unknown state %q", r.keptText(keptState))
}

// Deps returns the ids that a task waits for.
func (r Record) Deps() []string {
	deps, _ := r.keptValue(keptDeps).Strings()
	return deps
}

// WaitsFor returns the ids that a task or an item waits for.
func (r *Record) WaitsFor() []string {
	if r.kind == KindItem {
		return r.Texts("blocked_by")
	}
	return r.Deps()
}

// CreatedAt returns the time of creation, an RFC 3339 time in UTC, or "" if there
// is none. CompareAge compares two records by it.
func (r Record) CreatedAt() string { return r.keptText(keptCreated) }

// SameTask reports whether two records are the same task or issue: by id, and by
// the time of creation where both have it.
func (r Record) SameTask(other Record) bool {
	if r.kind != other.kind || r.ID() != other.ID() {
		return false
	}
	a, b := r.CreatedAt(), other.CreatedAt()
	return a == "" || b == "" || a == b
}

// has reports whether the record is of a kind and has an id.
func (r *Record) has(kind Kind, id string) bool { return r.kind == kind && r.keptText(keptID) == id }

// isBlank looks at the text of a record only if it has no kind, as a blank line has none: with most records, nothing else
// reads the text.
func (r Record) isBlank() bool { return r.kind == "" && IsBlank(r.text) }

// IsBlank reports whether a line is blank: it is kept, but means nothing.
func IsBlank(line string) bool {
	return line == "" || line[0] != '{' && strings.Trim(line, " \t\r") == ""
}

// column returns where the value of a member begins in the line, in characters
// from 1. It is 1 where there is no such member.
func (r Record) column(name string) int {
	offset := max(0, r.Object().Offset(name))
	return utf8.RuneCountInString(r.text[:offset]) + 1
}

// ContainsText reports whether the id or a text of a record contains a text, ignoring case. Members that are not written by
// people do not count: a search for "11" should not find what was created in November.
func (r Record) ContainsText(text string) bool {
	text = strings.ToLower(text)
	contains := func(s string) bool { return strings.Contains(strings.ToLower(s), text) }
	return slices.ContainsFunc(r.Object().Members(), func(m jsonl.Member) bool {
		switch m.Name {
		case "t", "s", "created_at", "done_at", "attempt", "kill_log":
			return false
		}
		if list, ok := m.Value.Strings(); ok {
			return slices.ContainsFunc(list, contains)
		}
		s, ok := m.Value.Str()
		return ok && contains(s)
	})
}

// Meta returns the record's "meta", empty where it has none.
func (r *Record) Meta() jsonl.Object {
	v, _ := r.Get("meta")
	if v == "" || v.Kind() != jsonl.Map {
		return jsonl.Object{}
	}
	return v.Object()
}
