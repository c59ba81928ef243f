package jsonl

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Value is the text of one valid JSON value, spelled as it was read.
type Value string

// A Kind is one of JSON's kinds of value.
type Kind string

// The kinds, named as error messages name them.
const (
	Null   Kind = "null"
	Bool   Kind = "true or false"
	Number Kind = "a number"
	String Kind = "a string"
	Array  Kind = "an array"
	Map    Kind = "an object" // an Object is the parsed one
)

// ParseValue checks that text is one JSON value. The error is a *SyntaxError.
func ParseValue(text string) (Value, error) {
	s := scanner{text: text}
	if s.whole() < 0 {
		return "", s.err
	}
	return Value(strings.Trim(text, " \t\r\n")), nil
}

// Kind returns the kind of the value.
func (v Value) Kind() Kind {
	switch v[0] {
	case '"':
		return String
	case '{':
		return Map
	case '[':
		return Array
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// Str returns the decoded string, and whether the value is one. A lone
// surrogate escape decodes to U+FFFD, as JSON decoders commonly do.
func (v Value) Str() (string, bool) {
	if v == "" || v[0] != '"' {
		return "", false
	}
	return unquote(string(v)), true
}

// Strings returns the decoded elements of an array of strings, and whether the
// value is one.
func (v Value) Strings() ([]string, bool) {
	if v == "" || v[0] != '[' {
		return nil, false
	}
	texts := make([]string, 0, strings.Count(string(v), ",")+1)
	for e := range v.All() {
		text, ok := e.Str()
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}

// Elements returns the elements of an array, and whether the value is one.
func (v Value) Elements() ([]Value, bool) {
	return slices.Collect(v.All()), v != "" && v[0] == '['
}

// Object returns the value as an object, the zero Object if it is of another kind.
func (v Value) Object() Object {
	if v == "" || v[0] != '{' {
		return Object{}
	}
	s := scanner{text: string(v), known: true, spans: make([]span, 0, defaultMembers)}
	s.value(0, 0)
	return Object{text: string(v), spans: s.spans}
}

// All yields the elements of an array. A value of another kind has none.
func (v Value) All() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v == "" || v[0] != '[' {
			return
		}
		s := scanner{text: string(v), known: true}
		for at := s.space(1); v[at] != ']'; {
			end := s.value(at, 0)
			if !yield(v[at:end]) {
				return
			}
			if at = s.space(end); v[at] == ',' {
				at = s.space(at + 1)
			}
		}
	}
}

// Quote returns s as a JSON string. It escapes only what JSON demands. Invalid
// UTF-8 becomes U+FFFD, since JSON cannot hold it.
func Quote(s string) Value {
	const hex = "0123456789abcdef"
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r >= 0x20:
			b.WriteRune(r)
		default:
			if i := strings.IndexRune("\b\f\n\r\t", r); i >= 0 {
				b.WriteByte('\\')
				b.WriteByte("bfnrt"[i])
			} else {
				b.WriteString(`\u00`)
				b.WriteByte(hex[r>>4])
				b.WriteByte(hex[r&15])
			}
		}
	}
	b.WriteByte('"')
	return Value(b.String())
}

// List returns an array of strings, with ", " between them.
func List(texts []string) Value {
	var b strings.Builder
	b.WriteByte('[')
	for i, text := range texts {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(Quote(text)))
	}
	b.WriteByte(']')
	return Value(b.String())
}

// TextMember returns a member with a string. One with an empty string has no value: it removes the member where members are set.
func TextMember(name, text string) Member {
	if text == "" {
		return Member{Name: name}
	}
	return Member{Name: name, Value: Quote(text)}
}

// ListMember is TextMember for an array of strings.
func ListMember(name string, texts []string) Member {
	if len(texts) == 0 {
		return Member{Name: name}
	}
	return Member{Name: name, Value: List(texts)}
}

// unquote decodes a valid string literal. It allocates nothing for one without
// a backslash.
func unquote(literal string) string {
	inner := literal[1 : len(literal)-1]
	next := strings.IndexByte(inner, '\\')
	if next < 0 {
		return inner
	}
	var b strings.Builder
	b.Grow(len(inner))
	for next >= 0 {
		b.WriteString(inner[:next])
		r, size := unescape(inner[next:])
		b.WriteRune(r)
		inner = inner[next+size:]
		next = strings.IndexByte(inner, '\\')
	}
	b.WriteString(inner)
	return b.String()
}

// unescape decodes the escape that text begins with, and returns its length.
func unescape(text string) (rune, int) {
	if i := strings.IndexByte("bfnrt", text[1]); i >= 0 {
		return rune("\b\f\n\r\t"[i]), 2
	}
	if text[1] != 'u' {
		return rune(text[1]), 2
	}
	first := hex4(text[2:])
	if utf16.IsSurrogate(first) && strings.HasPrefix(text[6:], `\u`) {
		if r := utf16.DecodeRune(first, hex4(text[8:])); r != utf8.RuneError {
			return r, 12
		}
	}
	if utf16.IsSurrogate(first) {
		return utf8.RuneError, 6
	}
	return first, 6
}

func hex4(text string) rune {
	n, _ := strconv.ParseUint(text[:4], 16, 32)
	return rune(n)
}
