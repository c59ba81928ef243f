package jsonl

import (
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

	literal string // the name as it was read, quotes included; "" where it was not read
}

// Quoted returns the name as a JSON string, spelled as it was read.
func (m Member) Quoted() Value {
	if m.literal != "" {
		return Value(m.literal)
	}
	return Quote(m.Name)
}

// A Parser reads objects one after the other into the same memory. The zero
// Parser is ready; it is not safe for concurrent use.
type Parser struct {
	scan scanner
}

// Object reads text, which must be one JSON object with nothing but white
// space around it. The error is a *SyntaxError. The object is valid until the
// next call; ParseObject returns one that lasts.
func (p *Parser) Object(text string) (Object, error) {
	s := &p.scan
	s.text, s.spans, s.names, s.seen, s.err = text, s.spans[:0], s.names[:0], nil, nil
	if at := s.space(0); at >= len(text) || text[at] != '{' {
		s.unexpected(at, "an object")
		return Object{}, s.err
	}
	if s.whole() < 0 {
		return Object{}, s.err
	}
	return Object{text: text, spans: s.spans}, nil
}

// whole reads the one value that the text consists of.
func (s *scanner) whole() int {
	if len(s.text) > maxLength {
		return s.fail(0, "line longer than 2 GiB", "a shorter one")
	}
	if !utf8.ValidString(s.text) {
		return s.fail(firstInvalid(s.text), "invalid UTF-8", "text in UTF-8")
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

// The capacity that a new parser has, in members of the object and in names on any level. Larger objects need more.
const (
	defaultMembers = 4
	defaultNames   = 8
)

// ParseObject reads text, which must be one JSON object with nothing but white
// space around it. The error is a *SyntaxError.
func ParseObject(text string) (Object, error) {
	p := Parser{scanner{spans: make([]span, 0, defaultMembers), names: make([]string, 0, defaultNames)}}
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
		literal := string(m.Quoted())
		start := b.Len()
		b.WriteString(literal)
		end := uint32(b.Len())
		if strings.IndexByte(literal, '\\') >= 0 {
			end |= escaped
		}
		b.WriteString(": ")
		from := b.Len()
		b.WriteString(string(m.Value))
		spans = append(spans, span{uint32(start), end, uint32(from), uint32(b.Len())})
	}
	b.WriteByte('}')
	return Object{text: b.String(), spans: spans}
}

// Text returns the object as it was read or built.
func (o Object) Text() string { return o.text }

// Len returns the number of members.
func (o Object) Len() int { return len(o.spans) }

// Name returns the name of member i, in the order of the text. An Object is too large to be copied for each look at a
// member: what is called for every member takes a pointer.
func (o *Object) Name(i int) string {
	sp := &o.spans[i]
	if sp.nameEnd&escaped != 0 {
		return unquote(sp.name(o.text))
	}
	return o.text[sp.nameStart+1 : sp.nameEnd-1]
}

// Value returns the value of member i.
func (o *Object) Value(i int) Value { return o.spans[i].value(o.text) }

// At returns member i.
func (o Object) At(i int) Member {
	return Member{Name: o.Name(i), Value: o.Value(i), literal: o.spans[i].name(o.text)}
}

// Members returns all members, in the order of the text.
func (o Object) Members() []Member {
	members := make([]Member, o.Len())
	for i := range members {
		members[i] = o.At(i)
	}
	return members
}

// Get returns the value of a member, and whether there is one.
func (o Object) Get(name string) (Value, bool) {
	if i := o.index(name); i >= 0 {
		return o.Value(i), true
	}
	return "", false
}

// index returns the index of the member of a name, or -1.
func (o *Object) index(name string) int {
	for i := range o.spans {
		if o.Name(i) == name {
			return i
		}
	}
	return -1
}

// Span returns where the value of member i is in the text, in bytes.
func (o *Object) Span(i int) (from, to int) {
	return int(o.spans[i].valueStart), int(o.spans[i].valueEnd)
}

// Offset returns where the value of a member begins in the text, in bytes, or
// -1 where there is no such member.
func (o Object) Offset(name string) int {
	if i := o.index(name); i >= 0 {
		from, _ := o.Span(i)
		return from
	}
	return -1
}

// Find returns the value of a member of an object, and whether there is one. The text is that of an object that was parsed before: where
// values begin and end is all that Find looks for, and only as far as it has to. It is for one or two members, and an Object for more.
func Find(object, name string) (Value, bool) {
	s := scanner{text: object, known: true}
	for at := s.space(s.space(0) + 1); at < len(object) && object[at] == '"'; {
		s.escapes = false
		end := s.str(at)
		found := object[at+1:end-1] == name
		if s.escapes {
			found = unquote(object[at:end]) == name
		}
		from := s.space(s.space(end) + 1)
		to := s.value(from, 1)
		if found {
			return Value(object[from:to]), true
		}
		if at = s.space(to); object[at] == ',' {
			at = s.space(at + 1)
		}
	}
	return "", false
}
