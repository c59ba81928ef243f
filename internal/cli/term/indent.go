package term

import (
	"bytes"
	"fmt"
	"strings"

	"git-ralph/internal/mask"
)

// Indent returns valid JSON as it is shown on a terminal: one member or element
// a line, empty objects and arrays on one line, and control characters, which stand in
// strings alone, escaped.
func Indent(json string) []byte {
	in := indenter{text: json}
	in.out.Grow(2 * len(json))
	for in.at < len(in.text) {
		in.token()
	}
	in.out.WriteByte('\n')
	return in.out.Bytes()
}

type indenter struct {
	text  string
	at    int
	depth int
	out   bytes.Buffer
}

func (in *indenter) token() {
	c := in.text[in.at]
	in.at++
	switch c {
	case ' ', '\t', '\r', '\n':
	case '{', '[':
		in.out.WriteByte(c)
		in.begin()
	case '}', ']':
		in.depth--
		in.newLine()
		in.out.WriteByte(c)
	case ',':
		in.out.WriteByte(c)
		in.newLine()
	case ':':
		in.out.WriteString(": ")
	case '"':
		in.at--
		in.str()
	default:
		in.out.WriteByte(c)
	}
}

// begin goes into an object or array; an empty one is closed at once.
func (in *indenter) begin() {
	rest := strings.TrimLeft(in.text[in.at:], " \t\r\n")
	if rest[0] == '}' || rest[0] == ']' {
		in.out.WriteByte(rest[0])
		in.at = len(in.text) - len(rest) + 1
		return
	}
	in.depth++
	in.newLine()
}

func (in *indenter) newLine() {
	in.out.WriteByte('\n')
	for range in.depth {
		in.out.WriteString("  ")
	}
}

// str copies a string literal.
func (in *indenter) str() {
	end := in.at + 1
	for in.text[end] != '"' {
		if in.text[end] == '\\' {
			end++
		}
		end++
	}
	in.out.WriteString(Escaped(in.text[in.at : end+1]))
	in.at = end + 1
}

// Escaped returns valid JSON with its control characters escaped; apart from white space they
// stand in strings alone.
func Escaped(json string) string {
	if !strings.ContainsFunc(json, mask.IsControl) {
		return json
	}
	var b strings.Builder
	for _, r := range json {
		switch {
		case !mask.IsControl(r):
			b.WriteRune(r)
		case r > 0xffff: // a pair of surrogates
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
