package plan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"git-ralph/internal/jsonl"
)

// byteOrderMark may begin a file; it is kept.
const byteOrderMark = "\ufeff"

// A Plan is the content of one plan file. Its records stand in the order of
// the file. The zero Plan is an empty file.
type Plan struct {
	mark    bool // the file begins with a byte-order mark
	records []Record
}

// Decode reads the content of a plan file. The plan holds every line that can
// be read; the problems, in the order of lines, are what is wrong with the
// file (docs/plan-format.md, "Errors"). A plan with problems must not be
// written: see Problems.
func Decode(data string) (*Plan, Problems) {
	d := decoder{plan: &Plan{records: make([]Record, 0, strings.Count(data, "\n")+1)}}
	rest, found := strings.CutPrefix(data, byteOrderMark)
	d.plan.mark = found
	d.parser.Reserve(len(data) / bytesPerMember)
	for line := range jsonl.Lines(rest) {
		d.line(line)
	}
	d.problems = append(d.problems, duplicates(d.plan.records)...)
	slices.SortStableFunc(d.problems, func(a, b Problem) int { return a.Line - b.Line })
	return d.plan, d.problems
}

// bytesPerMember is how much of a real plan one member takes, at the least.
const bytesPerMember = 32

type decoder struct {
	parser   jsonl.Parser
	plan     *Plan
	problems Problems
}

func (d *decoder) line(line jsonl.Line) {
	if strings.TrimLeft(line.Text, " \t\r") == "" {
		d.plan.records = append(d.plan.records, Record{line: line.Number, ending: line.Ending, object: jsonl.Blank(line.Text)})
		return
	}
	if marker := conflictMarker(line.Text); marker != "" {
		d.report(line, 0, Problem{
			Code: CodeMarker, Message: "conflict marker " + marker, Expected: "one JSON object a line",
			Hint: "keep the lines of both sides, each once, and delete the marker lines",
		})
		return
	}
	object, err := d.parser.Object(line.Text)
	if err != nil {
		d.syntax(line, err.(*jsonl.SyntaxError))
		return
	}
	record := newRecord(object)
	record.line, record.ending = line.Number, line.Ending
	if d.shapes(line, record) {
		d.plan.records = append(d.plan.records, record)
	}
}

// shapes checks the type of every known field.
func (d *decoder) shapes(line jsonl.Line, r Record) bool {
	known := fields(r.kind)
	if known == nil {
		known = rejectFields[:1] // the kind itself must be a string, whatever it says
	}
	good := true
	for _, f := range known {
		v, found := r.object.Get(f.name)
		if !found || f.shape.accepts(v) {
			continue
		}
		d.report(line, r.object.Offset(f.name), Problem{
			Code: CodeType, ID: r.id, Message: `field "` + f.name + `" is ` + string(v.Kind()), Expected: f.shape.String(),
		})
		good = false
	}
	return good
}

func (d *decoder) syntax(line jsonl.Line, err *jsonl.SyntaxError) {
	p := Problem{Code: CodeJSON, Message: "invalid JSON: " + err.Message, Expected: err.Expected}
	switch {
	case strings.HasPrefix(err.Message, "invalid UTF-8"):
		p.Code, p.Message = CodeUTF8, err.Message
	case strings.HasPrefix(err.Message, "duplicate member"):
		p.Code, p.Message = CodeMember, err.Message
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

// duplicates finds ids that stand on two tasks or on two issues. Tombstones
// and unknown kinds may repeat.
func duplicates(records []Record) Problems {
	var problems Problems
	first := make(map[string]int, len(records))
	for _, r := range records {
		if r.id == "" || r.kind != KindTask && r.kind != KindIssue {
			continue
		}
		key := string(r.kind[0]) + r.id
		line, found := first[key]
		if !found {
			first[key] = r.line
			continue
		}
		problems = append(problems, duplicate(r, line))
	}
	return problems
}

// Encode returns the content of the plan's file. A record that was not changed
// has the bytes that it was read with.
func (p *Plan) Encode() []byte {
	size := len(byteOrderMark)
	for _, r := range p.records {
		size += len(r.JSON()) + len(r.ending)
	}
	data := make([]byte, 0, size+1)
	if p.mark {
		data = append(data, byteOrderMark...)
	}
	for i, r := range p.records {
		data = append(data, r.JSON()...)
		if r.ending == "" && i < len(p.records)-1 {
			data = append(data, '\n') // a line was added behind a last line without an ending
		}
		data = append(data, r.ending...)
	}
	return data
}
