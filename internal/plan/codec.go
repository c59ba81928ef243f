package plan

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"git-ralph/internal/jsonl"
)

// byteOrderMark may begin a file. Format removes it; nothing else does.
const byteOrderMark = "\ufeff"

// A Plan is the content of one plan file. Its records are in the order of the
// file. The zero Plan is an empty file.
type Plan struct {
	mark    bool // the file begins with a byte-order mark
	records []Record
}

// Decode reads the content of a plan file. The plan holds every line that can
// be read; the problems, in the order of lines, are what is wrong with the
// file (docs/plan-format.md, "Errors"). A plan with problems must not be
// written: see Problems.
//
// Two halves of a large file are read concurrently, because every command waits
// for the plan.
func Decode(data string) (*Plan, Problems) {
	rest, mark := strings.CutPrefix(data, byteOrderMark)
	first, second := halves(rest)
	lines := lineCount(first)
	records := make([]Record, lines+lineCount(second))
	front := decoder{records: records[:0:lines]}
	back := decoder{records: records[lines:lines], before: lines}
	var reading sync.WaitGroup
	if second != "" {
		reading.Go(func() { back.decode(second) })
	}
	front.decode(first)
	reading.Wait()

	ascend := front.ids.ascend() && back.ids.ascend() && (back.ids.first == "" || front.ids.last < back.ids.first)
	read := len(front.records) // fewer than lines where some could not be read
	read += copy(records[read:], back.records)
	p := &Plan{mark: mark, records: records[:read]}
	problems := slices.Concat(front.problems, back.problems)
	if !ascend {
		problems = append(problems, duplicates(p.records)...)
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Line - b.Line })
	return p, problems
}

// DecodeBytes is Decode without copying: the plan refers to data, which must
// not change afterwards. A large plan takes longer to copy than to read.
func DecodeBytes(data []byte) (*Plan, Problems) {
	return Decode(unsafe.String(unsafe.SliceData(data), len(data)))
}

// halves cuts text between two lines near its middle. The second half of a
// short text is empty.
func halves(text string) (first, second string) {
	if len(text) < minHalved {
		return text, ""
	}
	middle := len(text) / 2
	end := strings.IndexByte(text[middle:], '\n')
	if end < 0 {
		return text, ""
	}
	return text[:middle+end+1], text[middle+end+1:]
}

// minHalved is the minimum length of a text, in bytes, that two goroutines
// decode faster than one.
const minHalved = 1 << 19

func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// A decoder reads a run of lines.
type decoder struct {
	parser   jsonl.Parser
	before   int // lines of the file before the run
	records  []Record
	problems Problems
	ids      idRun
}

func (d *decoder) decode(text string) {
	for line := range jsonl.Lines(text) {
		line.Number += d.before
		d.line(line)
	}
}

func (d *decoder) line(line jsonl.Line) {
	if line.Text == "" || line.Text[0] != '{' {
		if d.other(line) {
			return
		}
	}
	object, err := d.parser.Object(line.Text)
	if err != nil {
		d.syntax(line, err.(*jsonl.SyntaxError))
		return
	}
	r := d.add(line)
	r.setKind(&object)
	if !d.fields(&line, r, &object) {
		*r = Record{}
		d.records = d.records[:len(d.records)-1]
	} else if r.kind.HasUniqueID() {
		d.ids.add(r.ID())
	}
}

// add adds a line to the records, to be filled in its place: a copy of each would take as long as reading it.
func (d *decoder) add(line jsonl.Line) *Record {
	d.records = append(d.records, Record{text: line.Text, line: int32(line.Number), ending: endingOf(line.Ending)})
	return &d.records[len(d.records)-1]
}

// other handles a blank line or a conflict marker, and reports whether the line
// was one.
func (d *decoder) other(line jsonl.Line) bool {
	if IsBlank(line.Text) {
		d.add(line)
		return true
	}
	marker := conflictMarker(line.Text)
	if marker == "" {
		return false
	}
	d.report(line, 0, Problem{
		Code: CodeConflictMarker, Message: "conflict marker " + marker, Expected: "one JSON object per line",
		Hint: "`git ralph resolve --all` makes a valid plan of it",
	})
	return true
}

// fields checks the type of every known field, and fills the record.
func (d *decoder) fields(line *jsonl.Line, r *Record, o *jsonl.Object) bool {
	known := fields(r.kind)
	if known == nil {
		known = rejectFields[:1] // the kind itself must be a string, whatever it says
	}
	good, next := true, 0
	for i := range o.Len() {
		name := o.Name(i)
		r.keep(o, i, name)
		at := fieldAt(known, name, next)
		if at < 0 {
			continue
		}
		next = at + 1
		if mismatch := known[at].shape.mismatch(o.Value(i)); mismatch != "" {
			from, _ := o.Span(i)
			d.report(*line, from, Problem{
				Code: CodeWrongType, Message: `field "` + name + `" ` + mismatch, Expected: known[at].shape.String(),
			})
			good = false
		}
	}
	if !good {
		d.setID(*line, r.ID())
	}
	return good
}

// setID sets the record's id on the problems of a line.
func (d *decoder) setID(line jsonl.Line, id string) {
	for i := len(d.problems) - 1; i >= 0 && d.problems[i].Line == line.Number; i-- {
		d.problems[i].ID = id
	}
}

func (d *decoder) syntax(line jsonl.Line, err *jsonl.SyntaxError) {
	p := Problem{Code: CodeInvalidJSON, Message: "invalid JSON: " + err.Message, Expected: err.Expected}
	switch {
	case strings.HasPrefix(err.Message, "invalid UTF-8"):
		p.Code, p.Message = CodeInvalidUTF8, err.Message
	case strings.HasPrefix(err.Message, "duplicate member"):
		p.Code, p.Message = CodeDuplicateMember, err.Message
	}
	d.report(line, err.Offset, p)
}

// report notes a problem at a byte offset of a line. Columns count characters.
func (d *decoder) report(line jsonl.Line, offset int, p Problem) {
	p.Severity, p.Line = Error, line.Number
	p.Column = utf8.RuneCountInString(line.Text[:min(offset, len(line.Text))]) + 1
	d.problems = append(d.problems, p)
}

// conflictMarker returns the marker that git begins a line with, or "".
func conflictMarker(line string) string {
	for _, marker := range [...]string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if strings.HasPrefix(line, marker) {
			return marker
		}
	}
	return ""
}

// Encode returns the content of the plan's file. A record that was not changed
// has the bytes that it was read with.
func (p *Plan) Encode() []byte {
	size := len(byteOrderMark)
	for i := range p.records {
		size += len(p.records[i].text) + len("\r\n")
	}
	data := make([]byte, 0, size)
	if p.mark {
		data = append(data, byteOrderMark...)
	}
	for i := range p.records {
		r := &p.records[i]
		data = append(data, r.text...)
		end := r.ending
		if i < len(p.records)-1 && !end.hasLineFeed() {
			end = p.ending() // a line was added after a last line without a line feed
		}
		data = append(data, end.String()...)
	}
	return data
}

// A LineReader reads single lines of plan files, for callers that do not need
// the whole file. The zero value is ready to use; it is not safe for concurrent use.
type LineReader struct {
	lines decoder
}

// Record reads one line. The problems, if there are any, are those that Decode
// would report for the line; what concerns several lines is not checked.
func (r *LineReader) Record(line jsonl.Line) (Record, Problems) {
	r.lines.records, r.lines.problems = r.lines.records[:0], nil
	r.lines.line(line)
	if r.lines.problems != nil {
		return Record{}, r.lines.problems
	}
	return r.lines.records[0], nil
}

// An ending is how a line ends.
type ending uint8

const (
	noEnding ending = iota // the last line only
	lineFeed
	returnAndFeed
	loneReturn // the last line only
)

func endingOf(text string) ending {
	switch text {
	case "\n":
		return lineFeed
	case "\r\n":
		return returnAndFeed
	case "\r":
		return loneReturn
	}
	return noEnding
}

func (e ending) String() string {
	return [...]string{noEnding: "", lineFeed: "\n", returnAndFeed: "\r\n", loneReturn: "\r"}[e]
}

// hasLineFeed reports whether the ending has a line feed, so that another line can follow.
func (e ending) hasLineFeed() bool { return e == lineFeed || e == returnAndFeed }

// ending returns how lines of this file end.
func (p *Plan) ending() ending {
	if len(p.records) > 0 && p.records[0].ending.hasLineFeed() {
		return p.records[0].ending
	}
	return lineFeed
}
