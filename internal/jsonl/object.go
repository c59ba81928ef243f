package jsonl

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// An Object is one JSON object with the text that it was read from. It is
// immutable: its methods that change something return another Object. The zero
// Object has no text; it is no valid JSON.
type Object struct {
	text  string
	spans []span
}

// A Member is a name and a value of an Object.
type Member struct {
	Name  string
	Value Value

	literal string // the name as it stood, quotes included; "" writes Name anew
}

// A Parser reads objects. It shares memory among them, so that reading many
// costs few allocations. The zero Parser is ready; it is not safe for
// concurrent use.
type Parser struct {
	scan scanner
}

// Reserve makes room for n more members at once.
func (p *Parser) Reserve(n int) {
	p.scan.spans = slices.Grow(p.scan.spans, n)
}

// Object reads text, which must be one JSON object with nothing but white
// space around it. The error is a *SyntaxError.
func (p *Parser) Object(text string) (Object, error) {
	s := &p.scan
	s.text, s.names, s.err = text, s.names[:0], nil
	first := len(s.spans)
	if at := s.space(0); at >= len(text) || text[at] != '{' {
		s.unexpected(at, "an object")
		return Object{}, s.err
	}
	end := s.whole()
	if end < 0 {
		s.spans = s.spans[:first]
		return Object{}, s.err
	}
	return Object{text: text, spans: s.spans[first:len(s.spans):len(s.spans)]}, nil
}

// whole reads the value that the text is to consist of.
func (s *scanner) whole() int {
	if !utf8.ValidString(s.text) {
		return s.fail(firstInvalid(s.text), "invalid UTF-8", "")
	}
	end := s.value(s.space(0), 0)
	if end < 0 {
		return -1
	}
	if end = s.space(end); end < len(s.text) {
		return s.unexpected(end, "the end of the line")
	}
	return end
}

// firstInvalid returns the offset of the first byte that is not UTF-8.
func firstInvalid(text string) int {
	for at, r := range text {
		if r != utf8.RuneError {
			continue
		}
		if _, size := utf8.DecodeRuneInString(text[at:]); size == 1 {
			return at
		}
	}
	return len(text)
}

// ParseObject reads one object; see Parser.Object.
func ParseObject(text string) (Object, error) {
	var p Parser
	return p.Object(text)
}

// Build makes an object of members, in their order, with ", " and ": " between
// them. Names must differ.
func Build(members []Member) Object {
	var b strings.Builder
	spans := make([]span, 0, len(members))
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteString(", ")
		}
		var sp span
		sp.nameStart = uint32(b.Len())
		if m.literal != "" {
			b.WriteString(m.literal)
		} else {
			b.WriteString(string(Quote(m.Name)))
		}
		sp.nameEnd = uint32(b.Len())
		b.WriteString(": ")
		sp.valueStart = uint32(b.Len())
		b.WriteString(string(m.Value))
		sp.valueEnd = uint32(b.Len())
		spans = append(spans, sp)
	}
	b.WriteByte('}')
	return Object{text: b.String(), spans: spans}
}

// Text returns the object as it stood, or as it was built.
func (o Object) Text() string { return o.text }

// Len returns the number of members.
func (o Object) Len() int { return len(o.spans) }

// At returns member i, in the order of the text.
func (o Object) At(i int) Member {
	sp := o.spans[i]
	literal := o.text[sp.nameStart:sp.nameEnd]
	return Member{Name: unquote(literal), Value: Value(o.text[sp.valueStart:sp.valueEnd]), literal: literal}
}

// Members returns all members, in the order of the text.
func (o Object) Members() []Member {
	members := make([]Member, o.Len())
	for i := range members {
		members[i] = o.At(i)
	}
	return members
}

// Get returns the value of a member and whether there is one.
func (o Object) Get(name string) (Value, bool) {
	for _, sp := range o.spans {
		if sameName(o.text[sp.nameStart:sp.nameEnd], name) {
			return Value(o.text[sp.valueStart:sp.valueEnd]), true
		}
	}
	return "", false
}

// Offset returns where the value of a member begins in the text, in bytes, or
// -1 where there is no such member.
func (o Object) Offset(name string) int {
	for _, sp := range o.spans {
		if sameName(o.text[sp.nameStart:sp.nameEnd], name) {
			return int(sp.valueStart)
		}
	}
	return -1
}

func sameName(literal, name string) bool {
	if inner := literal[1 : len(literal)-1]; len(inner) == len(name) {
		return inner == name
	}
	return strings.IndexByte(literal, '\\') >= 0 && unquote(literal) == name
}

// Blank returns an Object of no members whose text is white space: a line that
// holds nothing, and is kept.
func Blank(text string) Object { return Object{text: text} }
