package fold

import (
	"strings"
	"sync"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A Book holds the distinct lines of all versions of a plan, each once. Versions
// of one plan share most of their lines, so that a version costs little more
// than the lines that are new in it. It is safe for those who read versions, each
// with a reader, not for others beside them.
type Book struct {
	numbers map[string]uint32 // of lines
	keys    map[key]uint32    // of records
	lines   []line
	names   []Name // the first stands for none
	named   map[Name]uint32
	reader  plan.Reader

	reading *sync.Mutex // by those who read versions
	whole   recentLines
}

// A key is what record a line is of: a kind and an id.
type key struct {
	kind plan.Kind
	id   string
}

// A line is a record, and the number of its key, 0 for one that has no id.
type line struct {
	plan.Record
	key        uint32
	name       uint32 // of a task or an issue
	supersedes string // of a task
	bad        bool   // it cannot be read
}

// NewBook returns an empty book.
func NewBook() *Book {
	return &Book{
		numbers: map[string]uint32{}, keys: map[key]uint32{}, names: make([]Name, 1), named: map[Name]uint32{},
		reading: new(sync.Mutex),
	}
}

// view returns the book for another goroutine that reads versions which were read
// before. No further ones may be read meanwhile.
func (b *Book) view() *Book {
	view := *b
	view.whole = recentLines{}
	return &view
}

// lives tells whether a line is of a task or an issue.
func (l *line) lives() bool {
	return l.key != 0 && (l.Kind() == plan.KindTask || l.Kind() == plan.KindIssue)
}

// number returns the number of a line; an empty one has none.
func (b *Book) number(text []byte) (uint32, bool) {
	if n, known := b.numbers[string(text)]; known {
		return n, true
	}
	whole := string(text) // the one copy that is kept
	trimmed := strings.Trim(whole, " \t\r")
	if trimmed == "" {
		return 0, false
	}
	n := uint32(len(b.lines))
	b.numbers[whole] = n
	b.lines = append(b.lines, b.read(trimmed))
	return n, true
}

func (b *Book) read(text string) line {
	r, problems := b.reader.Record(jsonl.Line{Text: text, Number: 1})
	if problems != nil {
		return line{bad: true}
	}
	l := line{Record: r, key: b.keyOf(r.Kind(), r.ID())}
	if r.Kind() == plan.KindTask {
		l.supersedes = r.Text("supersedes")
	}
	if l.lives() {
		l.name = b.nameOf(r)
	}
	return l
}

// nameOf returns the number of a record's name.
func (b *Book) nameOf(r plan.Record) uint32 {
	name := nameOf(r)
	n, known := b.named[name]
	if !known {
		n = uint32(len(b.names))
		b.names, b.named[name] = append(b.names, name), n
	}
	return n
}

// keyOf returns the number of a key, 0 for one without an id.
func (b *Book) keyOf(kind plan.Kind, id string) uint32 {
	if id == "" {
		return 0
	}
	k := key{kind, id}
	n, known := b.keys[k]
	if !known {
		n = uint32(len(b.keys) + 1)
		b.keys[k] = n
	}
	return n
}

// find returns the first record of a version with a key.
func (b *Book) find(v *Version, kind plan.Kind, id string) (plan.Record, bool) {
	k, known := b.keys[key{kind, id}]
	if v == nil || !known {
		return plan.Record{}, false
	}
	for _, n := range b.linesOf(v) {
		if b.lines[n].key == k {
			return b.lines[n].Record, true
		}
	}
	return plan.Record{}, false
}

// all yields the records of a version with a key.
func (b *Book) all(v *Version, kind plan.Kind, id string) func(func(plan.Record) bool) {
	return func(yield func(plan.Record) bool) {
		k, known := b.keys[key{kind, id}]
		if v == nil || !known {
			return
		}
		for _, n := range b.linesOf(v) {
			if b.lines[n].key == k && !yield(b.lines[n].Record) {
				return
			}
		}
	}
}

// spec returns the current spec of a version.
func (b *Book) spec(v *Version) string {
	if v == nil {
		return ""
	}
	for _, n := range b.linesOf(v) {
		if b.lines[n].Kind() == plan.KindSpec {
			return b.lines[n].Spec()
		}
	}
	return ""
}
