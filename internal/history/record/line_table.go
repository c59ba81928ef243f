package record

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"sync"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A LineTable holds the distinct lines of all versions of a plan, each once. Versions of one plan share most of their lines,
// so that a version costs little more than the lines that are new in it. Several VersionReaders may add to it at once; nothing
// else may use it meanwhile.
type LineTable struct {
	numbers         map[string]uint32 // of lines
	keys            map[key]uint32    // of records
	lines           []line
	identities      []Identity // the first stands for none
	identityNumbers map[Identity]uint32
	reader          plan.LineReader

	reading *sync.Mutex // by VersionReaders
	recent  recentLines
}

// A key is what record a line is of: a kind and an id.
type key struct {
	kind plan.Kind
	id   string
}

func (k key) compare(o key) int {
	return cmp.Or(strings.Compare(string(k.kind), string(o.kind)), strings.Compare(k.id, o.id))
}

// A line is a record, and the number of its key, 0 for one that has no id.
type line struct {
	plan.Record
	key        uint32
	identity   uint32 // of a task, an issue or an item
	supersedes string // of a task
	invalid    bool   // it is no record
}

// NewLineTable returns an empty table.
func NewLineTable() *LineTable {
	return &LineTable{
		numbers: map[string]uint32{}, keys: map[key]uint32{}, identities: make([]Identity, 1), identityNumbers: map[Identity]uint32{},
		reading: new(sync.Mutex),
	}
}

// view returns the table for another goroutine. No version may be added meanwhile.
func (t *LineTable) view() *LineTable {
	view := *t
	view.recent = recentLines{}
	return &view
}

// isWork reports whether a line is of a task, an issue or an item.
func (l *line) isWork() bool { return l.key != 0 && l.Kind().HasUniqueID() }

// number returns the number of a line; an empty one has none.
func (t *LineTable) number(text []byte) (uint32, bool) {
	if n, known := t.numbers[string(text)]; known {
		return n, true
	}
	whole := string(text) // the one copy that is kept
	trimmed := strings.Trim(whole, " \t\r")
	if trimmed == "" {
		return 0, false
	}
	n := uint32(len(t.lines))
	t.numbers[whole] = n
	t.lines = append(t.lines, t.read(trimmed))
	return n, true
}

func (t *LineTable) read(text string) line {
	r, problems := t.reader.Record(jsonl.Line{Text: text, Number: 1})
	if problems != nil {
		return line{invalid: true}
	}
	l := line{Record: r, key: t.keyOf(r.Kind(), r.ID())}
	if r.Kind() == plan.KindTask {
		l.supersedes = r.Text("supersedes")
	}
	if l.isWork() {
		l.identity = t.identityOf(r)
	}
	return l
}

// identityOf returns the number of a record's identity.
func (t *LineTable) identityOf(r plan.Record) uint32 {
	identity := identityOf(r)
	n, known := t.identityNumbers[identity]
	if !known {
		n = uint32(len(t.identities))
		t.identities, t.identityNumbers[identity] = append(t.identities, identity), n
	}
	return n
}

// keyOf returns the number of a key, 0 for one without an id.
func (t *LineTable) keyOf(kind plan.Kind, id string) uint32 {
	if id == "" {
		return 0
	}
	k := key{kind, id}
	n, known := t.keys[k]
	if !known {
		n = uint32(len(t.keys) + 1)
		t.keys[k] = n
	}
	return n
}

// find returns the first record of a version with a key.
func (t *LineTable) find(v *Version, kind plan.Kind, id string) (plan.Record, bool) {
	k, known := t.keys[key{kind, id}]
	if v == nil || !known {
		return plan.Record{}, false
	}
	for _, n := range t.linesOf(v) {
		if t.lines[n].key == k {
			return t.lines[n].Record, true
		}
	}
	return plan.Record{}, false
}

// all yields the records of a version with a key.
func (t *LineTable) all(v *Version, kind plan.Kind, id string) iter.Seq[plan.Record] {
	return func(yield func(plan.Record) bool) {
		k, known := t.keys[key{kind, id}]
		if v == nil || !known {
			return
		}
		for _, n := range t.linesOf(v) {
			if t.lines[n].key == k && !yield(t.lines[n].Record) {
				return
			}
		}
	}
}

// Work yields the tasks, issues and items of a version.
func (t *LineTable) Work(v *Version) iter.Seq[plan.Record] {
	return func(yield func(plan.Record) bool) {
		for _, n := range t.linesOf(v) {
			if l := &t.lines[n]; l.isWork() && !yield(l.Record) {
				return
			}
		}
	}
}

// Changed returns the ids of the records that differ between two versions; either is nil where there was no plan.
func (t *LineTable) Changed(before, after *Version) (ids []string) {
	c := comparison{lines: t, before: before, after: after}
	removed, added := c.changedLines()
	for _, n := range slices.Concat(removed, added) {
		if id := t.lines[n].ID(); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// Follows reports whether a plan at another path is the same one, moved: it holds half of the ids or more.
func (t *LineTable) Follows(before, after *Version) bool {
	ids := map[uint32]bool{}
	for _, n := range t.linesOf(before) {
		if l := &t.lines[n]; l.isWork() {
			ids[l.key] = true
		}
	}
	all := len(ids)
	for _, n := range t.linesOf(after) {
		delete(ids, t.lines[n].key)
	}
	return 2*(all-len(ids)) >= all
}

// Moves reports whether a plan that was removed lives on in one that was added elsewhere: it had ids, and the other holds
// half of them or more.
func (t *LineTable) Moves(before, after *Version) bool {
	hasIDs := slices.ContainsFunc(t.linesOf(before), func(n uint32) bool { return t.lines[n].isWork() })
	return before.Valid() && after.Valid() && hasIDs && t.Follows(before, after)
}

// spec returns the current spec of a version.
func (t *LineTable) spec(v *Version) string {
	if v == nil {
		return ""
	}
	for _, n := range t.linesOf(v) {
		if t.lines[n].Kind() == plan.KindSpec {
			return t.lines[n].Spec()
		}
	}
	return ""
}
