package merge

import (
	"slices"
	"strings"
	"sync"

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
	rest  string // what is to be cut into lines yet

	touched []touched      // its lines that are not the same everywhere, in their order
	keys    []plan.SortKey // of all lines; the base's only
}

// A line is one line of an input.
type line struct {
	text   string
	origin int32 // of a side's line: the base's line that it equals, or -1
}

// A touched line is one that is not the same in all inputs, read.
type touched struct {
	rec  plan.Record
	line int32
}

const byteOrderMark = "\ufeff"

// split cuts the input into lines.
func (in *input) split() {
	in.begin()
	for in.cut() {
	}
}

// begin makes the input ready to be cut.
func (in *input) begin() {
	rest, mark := strings.CutPrefix(in.data, byteOrderMark)
	in.mark, in.rest = mark, rest
	in.lines = make([]line, 0, lineCount(rest))
}

// cut cuts off one more line. It reports whether there was one.
func (in *input) cut() bool {
	for l := range jsonl.Lines(in.rest) {
		if len(in.lines) == 0 {
			in.crlf = l.Ending == "\r\n"
		}
		in.rest = in.rest[len(l.Text)+len(l.Ending):]
		in.lines = append(in.lines, line{text: l.Text, origin: -1})
		return true
	}
	return false
}

// follow cuts off one more line if it is the same as another one, which ends
// with a line feed as most do. It is faster than cut, which has to look for the
// end.
func (in *input) follow(same *line) bool {
	n := len(same.text)
	if n == 0 || len(in.rest) <= n || in.rest[n] != '\n' || in.rest[n-1] == '\r' || len(in.lines) == 0 || in.rest[:n] != same.text {
		return false
	}
	in.rest = in.rest[n+1:]
	in.lines = append(in.lines, line{text: same.text, origin: -1})
	return true
}

// lineCount guesses the number of lines, rather a few too many, from the
// beginning of a text.
func lineCount(text string) int {
	const sample = 1 << 14
	if len(text) <= sample {
		return strings.Count(text, "\n") + 1
	}
	return (strings.Count(text[:sample], "\n") + 1) * (len(text)/sample + 1) * 9 / 8
}

// read cuts the inputs into lines, finds those that are the same everywhere,
// and reads the others.
func (m *merger) read() {
	b := &m.in[base]
	b.split()
	var same [inputs][]bool
	var work sync.WaitGroup
	for _, side := range [...]int{one, two} {
		work.Go(func() { same[side] = match(b.lines, &m.in[side]) })
	}
	known := b.skim()
	work.Wait()
	for i := range same[one] {
		same[one][i] = same[one][i] && same[two][i]
	}
	m.decode(same[one], known)
}

// skim learns what it can of the lines without reading them whole, and reports of
// which it could.
func (in *input) skim() (known []bool) {
	in.keys, known = make([]plan.SortKey, len(in.lines)), make([]bool, len(in.lines))
	for i := range in.lines {
		in.keys[i].Text = in.lines[i].text
		known[i] = skim(&in.keys[i])
	}
	return known
}

// decode reads the lines of all inputs but those that same says are the same
// everywhere, by the base's lines. Of these it only learns the id.
func (m *merger) decode(same, known []bool) {
	b := &m.in[base]
	b.touched = nil
	for i := range b.lines {
		if same[i] && known[i] {
			continue
		}
		rec := m.record(b, i)
		b.keys[i] = rec.SortKey()
		if !same[i] {
			b.touched = append(b.touched, touched{rec, int32(i)})
		}
	}
	for _, side := range [...]int{one, two} {
		m.decodeSide(&m.in[side], same)
	}
}

func (m *merger) decodeSide(in *input, same []bool) {
	b := &m.in[base]
	in.touched = nil
	for j := range in.lines {
		origin := in.lines[j].origin
		switch {
		case origin < 0:
			in.touched = append(in.touched, touched{m.record(in, j), int32(j)})
		case !same[origin]:
			at, _ := slices.BinarySearchFunc(b.touched, origin, func(t touched, line int32) int { return int(t.line - line) })
			in.touched = append(in.touched, touched{b.touched[at].rec, int32(j)})
		}
	}
}

// record reads one line.
func (m *merger) record(in *input, i int) plan.Record {
	rec, problems := m.reader.Record(jsonl.Line{Text: in.lines[i].text, Ending: "\n", Number: i + 1})
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
	some := setOf(ids)
	for i := range same {
		same[i] = same[i] && !mentions(b.lines[i].text, func(text string) bool { return some[text] })
	}
	known := make([]bool, len(same))
	for i := range known {
		known[i] = b.keys[i].Kind != "" // read before
	}
	m.decode(same, known)
}
