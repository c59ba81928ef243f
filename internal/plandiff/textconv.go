package plandiff

import (
	"cmp"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// Textconv returns the content of a plan file as lines that compare well: one block per record, one line per field, and
// values of several lines indented below their names. Records are sorted by kind and id and fields by name, so that what
// only moved makes no difference. Unreadable lines follow after all records. Every text from the file passes through
// visible, one line at a time, which must make control characters safe to show.
//
//	task t-1a2b
//	  name: Add parser tests
//	  deps: ["t-3c4d", "t-5e6f"]
//	  notes:
//	    Cover edge cases.
//	    Mind the tokenizer.
func Textconv(data string, visible func(string) string) string {
	p, _ := plan.Decode(data)
	records := p.Records()
	t := writer{visible: visible}
	blocks := make([]block, len(records))
	read := make(map[int]bool, len(records))
	for i, r := range records {
		blocks[i] = block{record: r, text: t.record(r)}
		read[r.Line()] = true
	}
	slices.SortStableFunc(blocks, func(a, b block) int {
		return cmp.Or(byIdentity(a.record, b.record), strings.Compare(a.text, b.text))
	})
	texts := make([]string, len(blocks))
	for i, b := range blocks {
		texts[i] = b.text
	}
	texts = append(texts, t.unreadable(data, read)...)
	return strings.Join(texts, "\n")
}

// A block is a record and how it is shown.
type block struct {
	record plan.Record
	text   string
}

type writer struct {
	visible func(string) string
}

func (w writer) record(r plan.Record) string {
	var b strings.Builder
	b.WriteString(w.heading(r) + "\n")
	fields := plan.FieldsOf(r)
	slices.SortStableFunc(fields, func(a, b jsonl.Member) int {
		return cmp.Or(compareBool(a.Name != "name", b.Name != "name"), strings.Compare(a.Name, b.Name))
	})
	for _, f := range fields {
		if !inHeading(r, f.Name) {
			b.WriteString("  " + w.word(f.Name) + ":" + w.value(f.Value) + "\n")
		}
	}
	return b.String()
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// heading names a record. It begins its line with a letter, so that git shows
// it in the hunk headers of a diff.
func (w writer) heading(r plan.Record) string {
	text := "record without a kind"
	if r.Kind() != "" {
		text = w.word(string(r.Kind()))
	}
	if r.ID() != "" {
		text += " " + w.word(r.ID())
	}
	return text
}

func inHeading(r plan.Record, field string) bool {
	return field == "t" && r.Kind() != "" || field == "id" && r.ID() != ""
}

// word shows a kind, an id or a field's name; quoted where it is not plain.
func (w writer) word(s string) string {
	for _, c := range s {
		if !isPlain(c) {
			return w.visible(string(jsonl.Quote(s)))
		}
	}
	return s
}

func isPlain(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}

// value shows a field's value after its colon. A string has no quotes, unless
// it could then be taken for something else.
func (w writer) value(v jsonl.Value) string {
	if list, ok := v.Strings(); ok {
		return " " + w.visible(string(jsonl.List(list)))
	}
	s, ok := v.Str()
	switch {
	case ok && strings.Contains(s, "\n"):
		return w.lines(s)
	case !ok || isAmbiguous(s):
		return " " + w.visible(string(v))
	}
	return " " + w.visible(s)
}

// lines shows a value of several lines below its name.
func (w writer) lines(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		b.WriteByte('\n')
		if line != "" {
			b.WriteString("    " + w.visible(line))
		}
	}
	return b.String()
}

// isAmbiguous reports whether a string without quotes would look like another
// value, or like nothing.
func isAmbiguous(s string) bool {
	_, err := jsonl.ParseValue(s)
	return err == nil || s != strings.TrimSpace(s) || s == ""
}

// unreadable returns the lines that are no record.
func (w writer) unreadable(data string, read map[int]bool) []string {
	var texts []string
	for line := range jsonl.Lines(data) {
		if !read[line.Number] && strings.Trim(line.Text, " \t\r\ufeff") != "" {
			texts = append(texts, w.visible(line.Text)+"\n")
		}
	}
	return texts
}
