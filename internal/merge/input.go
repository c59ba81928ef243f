package merge

import (
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// An input is one of the three plans.
type input struct {
	who  Input
	data string
	mark bool   // it begins with a byte-order mark
	crlf bool   // its first line ends with a carriage return and a line feed
	rest string // what is not yet cut into lines

	lines   []line         // of a side
	keys    []plan.SortKey // of the base's lines; one without a kind has not been read yet
	heads   []uint64       // of the base's lines: see head
	unsure  []int32        // lines of the base that may belong before the line before them
	touched []touched      // its lines that are not the same everywhere, in their order
}

// A line is one line of a side.
type line struct {
	text   string
	origin int32 // the base's line that it equals, or -1
}

// A touched line is one that is not the same in all inputs, read.
type touched struct {
	rec  plan.Record
	line int32
}

const byteOrderMark = "\ufeff"

// begin prepares the input to be cut, and returns about how many lines it has.
func (in *input) begin() int {
	in.rest, in.mark = strings.CutPrefix(in.data, byteOrderMark)
	in.crlf = jsonl.FirstLine(in.rest).Ending == "\r\n"
	return lineCount(in.rest)
}

// cut cuts off one more line. It reports whether there was one.
func (in *input) cut() (text string, found bool) {
	if in.rest == "" {
		return "", false
	}
	l := jsonl.FirstLine(in.rest)
	in.rest = in.rest[len(l.Text)+len(l.Ending):]
	return l.Text, true
}

// cutLine cuts off one more line of a side.
func (in *input) cutLine() bool {
	text, found := in.cut()
	if found {
		in.lines = append(in.lines, line{text: text, origin: -1})
	}
	return found
}

// lineCount estimates the number of lines from the beginning of a text, rather
// too high than too low.
func lineCount(text string) int {
	const sample = 1 << 14
	if len(text) <= sample {
		return strings.Count(text, "\n") + 1
	}
	return (strings.Count(text[:sample], "\n") + 1) * (len(text)/sample + 1) * 9 / 8
}

// read cuts the inputs into lines, finds those that are the same everywhere,
// and reads the others. It goes through the three together, a few lines at a
// time, so that they are still in the processor's cache.
func (m *merger) read() {
	b := &m.in[base]
	b.keys = make([]plan.SortKey, 0, b.begin())
	b.heads = make([]uint64, 0, cap(b.keys))
	x, y := newMatcher(b, &m.in[one]), newMatcher(b, &m.in[two])
	for b.skim(atOnce) {
		x.walk(len(b.keys) - window)
		y.walk(len(b.keys) - window)
	}
	kept := y.finish()
	m.same = x.finish()
	for i := range kept {
		m.same[i] = m.same[i] && kept[i]
	}
	m.decode()
}

// atOnce is the number of lines that are read together.
const atOnce = 128

// skim cuts a number of lines off the base, and reads their kinds and ids where that needs no parser. It reports whether
// there are more.
func (in *input) skim(count int) bool {
	for range count {
		text, found := in.cut()
		if !found {
			return false
		}
		in.keys = append(in.keys, plan.SortKey{Text: text})
		n := len(in.keys) - 1
		if !skim(&in.keys[n]) || n == 0 || in.keys[n-1].Kind == "" || in.keys[n-1].Compare(&in.keys[n]) > 0 {
			in.unsure = append(in.unsure, int32(n))
		}
		in.heads = append(in.heads, head(in.keys[n].ID))
	}
	return true
}

// head returns the first eight bytes of an id as a number, to compare ids
// without reading their lines.
func head(id string) (h uint64) {
	for i := range 8 {
		h <<= 8
		if i < len(id) {
			h |= uint64(id[i])
		}
	}
	return h
}

// decode reads the lines of all inputs except those that are the same
// everywhere. Of these it reads the id only.
func (m *merger) decode() {
	b := &m.in[base]
	b.touched = nil
	for i := range b.keys {
		if m.same[i] && b.keys[i].Kind != "" {
			continue
		}
		rec := m.record(b, b.keys[i].Text, i)
		b.keys[i], b.heads[i] = rec.SortKey(), head(rec.ID())
		if !m.same[i] {
			b.touched = append(b.touched, touched{rec, int32(i)})
		}
	}
	m.decodeSide(&m.in[one])
	m.decodeSide(&m.in[two])
}

func (m *merger) decodeSide(in *input) {
	b := &m.in[base]
	in.touched = nil
	for j := range in.lines {
		origin := in.lines[j].origin
		switch {
		case origin < 0:
			in.touched = append(in.touched, touched{m.record(in, in.lines[j].text, j), int32(j)})
		case !m.same[origin]:
			at, _ := slices.BinarySearchFunc(b.touched, origin, func(t touched, line int32) int { return int(t.line - line) })
			in.touched = append(in.touched, touched{b.touched[at].rec, int32(j)})
		}
	}
}

// record reads one line.
func (m *merger) record(in *input, text string, i int) plan.Record {
	rec, problems := m.reader.Record(jsonl.Line{Text: text, Ending: "\n", Number: i + 1})
	m.fail(in.who, problems)
	return rec
}

// skim fills the kind and the id of a line that begins with them, as lines do
// that we wrote, and reports whether it is one.
func skim(key *plan.SortKey) bool {
	const start, middle = `{"t": "`, `", "id": "`
	text := key.Text
	if !strings.HasPrefix(text, start) || text[len(text)-1] != '}' {
		return false
	}
	kind := plainString(text[len(start):])
	rest := text[len(start)+len(kind):]
	if kind == "" || !strings.HasPrefix(rest, middle) {
		return false
	}
	id := plainString(rest[len(middle):])
	if id == "" {
		return false
	}
	key.Kind, key.ID = plan.Kind(kind), id
	if kind == string(plan.KindTask) {
		key.Kind = plan.KindTask // the constant: comparing it does not read the line
	}
	return true
}

// plainString returns the text before the next quote; "" if that contains an escape.
func plainString(text string) string {
	for i := range len(text) {
		switch text[i] {
		case '"':
			return text[:i]
		case '\\':
			return ""
		}
	}
	return ""
}

// touch counts the lines that are the same everywhere but mention one of ids
// among the touched ones, so that they are read.
func (m *merger) touch(ids []string) {
	b := &m.in[base]
	some := plan.SetOf(ids)
	for i := range m.same {
		m.same[i] = m.same[i] && !mentions(b.keys[i].Text, func(text string) bool { return some[text] })
	}
	m.decode()
}
