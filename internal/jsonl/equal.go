package jsonl

import (
	"slices"
	"strings"
	"unicode/utf16"
)

// Equal reports whether two values mean the same. White space, the order of members and the escapes of a string carry no
// meaning; the spelling of a number does: 1.0 and 1 are two values. A lone surrogate is a character like any other. A value
// nested deeper than MaxCompareDepth levels is compared as text. "" stands for no value.
func Equal(a, b Value) bool { return new(Comparer).Equal(a, b) }

// EqualObjects reports whether two objects mean the same. It is fast if their
// members are in the same order.
func EqualObjects(a, b Object) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.spans {
		if a.spans[i].name(a.text) != b.spans[i].name(b.text) {
			return Equal(Value(a.text), Value(b.text))
		}
		if !Equal(a.Value(i), b.Value(i)) {
			return false
		}
	}
	return true
}

// Canonical returns a text that is the same for values that are Equal, and different for others.
func Canonical(v Value) string { return new(Comparer).Canonical(v) }

// A Comparer compares values. It keeps the canonical texts of arrays and objects, so that comparing a value, then its
// elements, then theirs, reads each byte once. The zero Comparer is ready.
type Comparer struct {
	Steps int // the work done so far, in bytes read

	texts map[Value]string
}

// Equal is like the function Equal.
func (c *Comparer) Equal(a, b Value) bool {
	return a == b || a != "" && b != "" && a[0] == b[0] && c.Canonical(a) == c.Canonical(b)
}

// Canonical is like the function Canonical.
func (c *Comparer) Canonical(v Value) string {
	if !v.isNested() {
		return canonicalScalar(v)
	}
	if text, found := c.texts[v]; found {
		return text
	}
	if c.Steps += len(v); v.IsDeep() {
		return string(v)
	}
	return c.nested(v)
}

func (c *Comparer) nested(v Value) string {
	if !v.isNested() {
		return canonicalScalar(v)
	}
	if text, found := c.texts[v]; found {
		return text
	}
	c.Steps += len(v)
	var parts []string
	brackets := "[]"
	if v[0] == '{' {
		brackets = "{}"
		for _, m := range v.Object().Members() {
			parts = append(parts, canonicalScalar(m.Quoted())+":"+c.nested(m.Value))
		}
		slices.Sort(parts)
	}
	for e := range v.All() {
		parts = append(parts, c.nested(e))
	}
	text := brackets[:1] + strings.Join(parts, ",") + brackets[1:]
	if c.texts == nil {
		c.texts = map[Value]string{}
	}
	c.texts[v] = text
	return text
}

func (v Value) isNested() bool { return v != "" && (v[0] == '{' || v[0] == '[') }

// canonicalScalar returns the canonical text of a value that contains no other: of a string, its characters with the fewest
// escapes. Only a lone surrogate cannot be written without one.
func canonicalScalar(v Value) string {
	if v == "" || v[0] != '"' || strings.IndexByte(string(v), '\\') < 0 {
		return string(v)
	}
	var b strings.Builder
	rest := string(v)
	for next := strings.IndexByte(rest, '\\'); next >= 0; next = strings.IndexByte(rest, '\\') {
		b.WriteString(rest[:next])
		r, size := unescape(rest[next:])
		if size == 6 && utf16.IsSurrogate(hex4(rest[next+2:])) {
			b.WriteString(strings.ToLower(rest[next : next+size]))
		} else {
			q := Quote(string(r))
			b.WriteString(string(q[1 : len(q)-1]))
		}
		rest = rest[next+size:]
	}
	b.WriteString(rest)
	return b.String()
}

// MaxCompareDepth is the maximum depth of a value that is compared and merged part by part. A deeper one is compared as
// text.
const MaxCompareDepth = 64

// IsDeep reports whether a value is nested deeper than MaxCompareDepth levels.
func (v Value) IsDeep() bool {
	depth, inString := 0, false
	for i := 0; i < len(v); i++ {
		switch c := v[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > MaxCompareDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}
