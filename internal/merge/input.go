package merge

import (
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// An input is one of the three plans.
type input struct {
	who   Input
	data  string
	mark  bool // it begins with a byte-order mark
	crlf  bool // its first line ends with a carriage return and a line feed
	lines []line

	touched   []touched // its lines that are not the same everywhere, in their order
	canonical bool      // of a side: its lines stand in the canonical order
}

// A line is one line of an input.
type line struct {
	key plan.SortKey // of a line that is the same everywhere, only the base's is filled

	// origin is the base's line that this one is, changed or not, or -1. A
	// line of the base has itself.
	origin int32
}

// A touched line is one that is not the same in all inputs, read.
type touched struct {
	rec  plan.Record
	line int32
}

const byteOrderMark = "\ufeff"

// split cuts the input into lines.
func (in *input) split() {
	rest, mark := strings.CutPrefix(in.data, byteOrderMark)
	in.mark = mark
	in.lines = make([]line, 0, strings.Count(rest, "\n")+1)
	for l := range jsonl.Lines(rest) {
		if l.Number == 1 {
			in.crlf = l.Ending == "\r\n"
		}
		in.lines = append(in.lines, line{key: plan.SortKey{Text: l.Text}, origin: -1})
	}
}

// read cuts the inputs into lines, finds those that are the same everywhere,
// and reads the others.
func (m *merger) read() {
	for i := range m.in {
		m.in[i].split()
	}
	b := &m.in[base]
	for i := range b.lines {
		b.lines[i].origin = int32(i)
	}
	kept := [...][]bool{match(b.lines, m.in[one].lines), match(b.lines, m.in[two].lines)}
	same := kept[0]
	for i := range same {
		same[i] = same[i] && kept[1][i]
	}
	m.decode(same)
	for _, side := range [...]int{one, two} {
		m.in[side].canonical = m.in[side].sorted(b.lines)
	}
}

// decode reads the lines of all inputs but those that same says are the same
// everywhere, by the base's lines. Of these it only learns the id.
func (m *merger) decode(same []bool) {
	b := &m.in[base]
	at := make([]int32, len(b.lines)) // where in the base's touched lines each line is, from 1
	b.touched = nil
	for i := range b.lines {
		l := &b.lines[i]
		if same[i] && (l.key.Kind != "" || skim(&l.key)) {
			continue
		}
		rec := m.record(b, i)
		if same[i] {
			l.key = rec.SortKey()
			continue
		}
		b.touched = append(b.touched, touched{rec, int32(i)})
		at[i] = int32(len(b.touched))
	}
	for _, side := range [...]int{one, two} {
		in := &m.in[side]
		in.touched = nil
		for j := range in.lines {
			origin := in.lines[j].origin
			if origin < 0 {
				in.touched = append(in.touched, touched{m.record(in, j), int32(j)})
			} else if n := at[origin]; n > 0 {
				in.touched = append(in.touched, touched{b.touched[n-1].rec, int32(j)})
			}
		}
	}
}

// record reads one line.
func (m *merger) record(in *input, i int) plan.Record {
	l := &in.lines[i]
	rec, problems := m.reader.Record(jsonl.Line{Text: l.key.Text, Ending: "\n", Number: i + 1})
	m.fail(in.who, problems)
	l.key.Kind, l.key.ID = rec.Kind(), rec.ID()
	return rec
}

// skim fills the kind and the id of a line that begins with them, as lines do
// that we wrote, and tells whether it is one.
func skim(key *plan.SortKey) bool {
	const start, middle = `{"t": "`, `", "id": "`
	text := key.Text
	if !strings.HasPrefix(text, start) || text[len(text)-1] != '}' {
		return false
	}
	kind, rest, _ := strings.Cut(text[len(start):], `"`)
	if !strings.HasPrefix(rest, middle[1:]) {
		return false
	}
	id, _, found := strings.Cut(rest[len(middle)-1:], `"`)
	if !found || kind == "" || id == "" || strings.IndexByte(kind, '\\') >= 0 || strings.IndexByte(id, '\\') >= 0 {
		return false
	}
	key.Kind, key.ID = plan.Kind(kind), id
	return true
}

// sorted tells whether the lines of a side are in the canonical order, with no
// empty ones between them. Lines that come from the base are known there.
func (in *input) sorted(base []line) bool {
	var last *plan.SortKey
	for j := range in.lines {
		key := &in.lines[j].key
		if origin := in.lines[j].origin; origin >= 0 {
			key = &base[origin].key
		}
		if isBlank(key.Text) || last != nil && last.Compare(key) > 0 {
			return false
		}
		last = key
	}
	return true
}

func isBlank(text string) bool {
	return text == "" || text[0] != '{' && strings.Trim(text, " \t\r") == ""
}

// touch makes lines that are the same everywhere, and name any of ids, ones
// that are looked at like those that changed.
func (m *merger) touch(ids []string) {
	b := &m.in[base]
	same := make([]bool, len(b.lines))
	for i := range same {
		same[i] = true
	}
	for _, t := range b.touched {
		same[t.line] = false
	}
	for i := range same {
		names := func(id string) bool { return strings.Contains(b.lines[i].key.Text, id) }
		same[i] = same[i] && !slices.ContainsFunc(ids, names)
	}
	m.decode(same)
}
