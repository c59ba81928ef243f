package jsonc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrSyntax: the text is no JSON, not even with comments.
var ErrSyntax = errors.New("no valid JSON")

// A Value is one value and where it is, in bytes.
type Value struct {
	Start, End int
	Text       string  // as it is spelled
	Members    []Value // of an object, in order; of an array its elements
	Key        string  // of a member of an object
	KeyStart   int     // of a member of an object
	KeyEnd     int
}

// IsObject reports whether the value is an object.
func (v *Value) IsObject() bool { return v != nil && strings.HasPrefix(v.Text, "{") }

// IsArray reports whether the value is an array.
func (v *Value) IsArray() bool { return v != nil && strings.HasPrefix(v.Text, "[") }

// Str returns the decoded string, "" for a value of another kind.
func (v *Value) Str() string {
	if v == nil || !strings.HasPrefix(v.Text, `"`) {
		return ""
	}
	s, err := strconv.Unquote(strings.ReplaceAll(v.Text, `\/`, "/"))
	if err != nil {
		return strings.Trim(v.Text, `"`)
	}
	return s
}

// Get returns the member of a name of an object, nil where there is none.
func (v *Value) Get(name string) *Value {
	if !v.IsObject() {
		return nil
	}
	for i := len(v.Members) - 1; i >= 0; i-- { // of several the last one counts, as in other readers
		if v.Members[i].Key == name {
			return &v.Members[i]
		}
	}
	return nil
}

// start returns where the value begins, with the name of a member.
func (v *Value) start() int {
	if v.KeyEnd > 0 {
		return v.KeyStart
	}
	return v.Start
}

// maxDepth bounds nesting.
const maxDepth = 200

// Parse reads a text. It returns nil for one that is blank. The error is ErrSyntax, with the place.
func Parse(src string) (*Value, error) {
	p := &parser{src: src}
	p.skip()
	if p.err == nil && p.at == len(src) {
		return nil, nil
	}
	v := p.value(0)
	p.skip()
	if p.err == nil && p.at < len(src) {
		p.fail("the end")
	}
	return &v, p.err
}

type parser struct {
	src string
	at  int
	err error
}

func (p *parser) fail(want string) {
	if p.err == nil {
		line := 1 + strings.Count(p.src[:p.at], "\n")
		p.err = fmt.Errorf("%w: line %d, column %d: want %s", ErrSyntax, line, p.at-strings.LastIndex(p.src[:p.at], "\n"), want)
	}
	p.at = len(p.src)
}

// skip passes over white space, a byte-order mark and comments.
func (p *parser) skip() {
	for p.at < len(p.src) {
		rest := p.src[p.at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			p.at++
		case p.at == 0 && strings.HasPrefix(rest, byteOrderMark):
			p.at += len(byteOrderMark)
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			p.at += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				p.fail("the end of the comment")
				return
			}
			p.at += end + 4
		default:
			return
		}
	}
}

func (p *parser) peek() byte {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

func (p *parser) value(depth int) Value {
	v := Value{Start: p.at}
	switch c := p.peek(); {
	case depth > maxDepth:
		p.fail("less nesting")
	case c == '{':
		v.Members = p.list('}', func() Value { return p.member(depth) })
	case c == '[':
		v.Members = p.list(']', func() Value { return p.value(depth + 1) })
	case c == '"':
		p.str()
	default:
		p.word()
	}
	v.End = p.at
	v.Text = p.src[v.Start:v.End]
	return v
}

// list reads the members of an object or array up to its closing bracket.
func (p *parser) list(closing byte, next func() Value) (all []Value) {
	p.at++
	for p.skip(); p.err == nil && p.peek() != closing; p.skip() {
		all = append(all, next())
		p.skip()
		if p.peek() == ',' {
			p.at++
		} else if p.peek() != closing {
			p.fail("a comma or " + string(closing))
		}
	}
	if p.err == nil {
		p.at++
	}
	return all
}

func (p *parser) member(depth int) Value {
	start := p.at
	if p.peek() != '"' {
		p.fail("a name in quotes")
		return Value{}
	}
	p.str()
	end := p.at
	key := Value{Text: p.src[start:end]}
	p.skip()
	if p.peek() != ':' {
		p.fail("a colon")
		return Value{}
	}
	p.at++
	p.skip()
	v := p.value(depth + 1)
	v.Key, v.KeyStart, v.KeyEnd = key.Str(), start, end
	return v
}

func (p *parser) str() {
	for p.at++; p.at < len(p.src); p.at++ {
		switch p.src[p.at] {
		case '\\':
			p.at++
		case '"':
			p.at++
			return
		case '\n':
			p.fail("the end of the string")
			return
		}
	}
	p.at = len(p.src)
	p.fail("the end of the string")
}

// word reads a number, true, false or null.
func (p *parser) word() {
	start := p.at
	for p.at < len(p.src) && strings.IndexByte("+-.0123456789abcdefghijklmnopqrstuvwxyzE", p.src[p.at]) >= 0 {
		p.at++
	}
	switch word := p.src[start:p.at]; word {
	case "true", "false", "null":
	default:
		if _, err := strconv.ParseFloat(word, 64); err != nil || word[0] > '9' || word[0] == '+' || word[0] == '.' {
			p.at = start
			p.fail("a value")
		}
	}
}
