package jsonl

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds nesting, so that hostile input cannot exhaust the stack.
const maxDepth = 1000

// A SyntaxError says why a text is not the JSON that was expected.
type SyntaxError struct {
	Offset   int    // bytes before the place where it went wrong
	Message  string // what was found there
	Expected string // what would have been right; may be empty
}

func (e *SyntaxError) Error() string {
	if e.Expected == "" {
		return e.Message
	}
	return e.Message + ", expected " + e.Expected
}

// A span says where a member is in its object's text, in bytes. The name
// includes its quotes.
type span struct {
	nameStart, nameEnd   uint32 // nameEnd may carry the mark escaped
	valueStart, valueEnd uint32
}

// escaped marks a name that contains a backslash. Other names are compared as
// they are.
const escaped = 1 << 31

// maxLength is the longest text whose offsets leave room for the mark.
const maxLength = escaped - 1

// name returns the literal of the name.
func (sp *span) name(text string) string { return text[sp.nameStart : sp.nameEnd&^escaped] }

// value returns the text of the value.
func (sp *span) value(text string) Value { return Value(text[sp.valueStart:sp.valueEnd]) }

// scanner walks one JSON text, checks its grammar and notes the members of the
// outermost object. Its methods return the offset after what they read, or -1
// after setting err.
type scanner struct {
	text  string
	spans []span                // members of the outermost object
	names []string              // member names of the objects that are open, for duplicates
	seen  map[openName]struct{} // the same, for objects of many members
	err   *SyntaxError

	escapes bool // str met an escape
	known   bool // the text is known to be valid: only where values begin and end is looked for
}

func (s *scanner) fail(at int, message, expected string) int {
	s.err = &SyntaxError{Offset: at, Message: message, Expected: expected}
	return -1
}

// unexpected reports what is at offset at.
func (s *scanner) unexpected(at int, expected string) int {
	if at >= len(s.text) {
		return s.fail(len(s.text), "unexpected end of line", expected)
	}
	r, _ := utf8.DecodeRuneInString(s.text[at:])
	return s.fail(at, fmt.Sprintf("unexpected %q", r), expected)
}

func (s *scanner) space(at int) int {
	for at < len(s.text) && isSpace(s.text[at]) {
		at++
	}
	return at
}

func (s *scanner) value(at, depth int) int {
	if at >= len(s.text) {
		return s.unexpected(at, "a value")
	}
	if depth > maxDepth {
		return s.fail(at, fmt.Sprintf("nested deeper than %d levels", maxDepth), fmt.Sprintf("at most %d", maxDepth))
	}
	switch c := s.text[at]; {
	case c == '"':
		return s.str(at)
	case c == '{':
		return s.object(at, depth)
	case c == '[':
		return s.array(at, depth)
	case c == '-' || isDigit(c):
		return s.number(at)
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(s.text[at:], word) {
			return at + len(word)
		}
	}
	return s.unexpected(at, "a value")
}

// object reads an object. At depth 0 it records the members' spans.
func (s *scanner) object(at, depth int) int {
	names := openNames{first: len(s.names)}
	at = s.space(at + 1)
	if at < len(s.text) && s.text[at] == '}' {
		return at + 1
	}
	for {
		if at >= len(s.text) || s.text[at] != '"' {
			return s.unexpected(at, "a member name in double quotes")
		}
		if at = s.member(at, depth, &names); at < 0 {
			return -1
		}
		if at = s.space(at); at >= len(s.text) {
			return s.unexpected(at, `"," or "}"`)
		}
		switch s.text[at] {
		case ',':
			at = s.space(at + 1)
		case '}':
			s.leave(names.first)
			return at + 1
		default:
			return s.unexpected(at, `"," or "}"`)
		}
	}
}

// member reads one `"name": value` of the object that has names.
func (s *scanner) member(at, depth int, names *openNames) int {
	start := at
	s.escapes = false
	end := s.str(at)
	if end < 0 {
		return -1
	}
	name, mark := s.text[start+1:end-1], uint32(0)
	if s.escapes {
		name, mark = unquote(s.text[start:end]), escaped
	}
	if !s.known && !s.enter(name, names) {
		return s.fail(start, fmt.Sprintf("duplicate member name %q", name), "each name once")
	}
	colon := s.space(end)
	if colon >= len(s.text) || s.text[colon] != ':' {
		return s.unexpected(colon, `":"`)
	}
	from := s.space(colon + 1)
	to := s.value(from, depth+1)
	if to >= 0 && depth == 0 {
		s.spans = append(s.spans, span{uint32(start), uint32(end) | mark, uint32(from), uint32(to)})
	}
	return to
}

// fewNames is the number of names of an object up to which they are compared
// one by one.
const fewNames = 32

// An openName is a name in an object that is open; open says which.
type openName struct {
	open int
	name string
}

// openNames are the names of an object that is open.
type openNames struct {
	first int    // where they begin among the scanner's
	bits  uint64 // a bit for each, which several may share
}

// nameBit returns the bit of a name: by its length and its last byte, in which the names of a record commonly differ.
func nameBit(name string) uint64 {
	if name == "" {
		return 1
	}
	return 1 << ((uint(name[len(name)-1]) + 2*uint(len(name))) % 64)
}

// enter notes a name of an object, and reports whether it is new there.
func (s *scanner) enter(name string, names *openNames) bool {
	open := names.first
	known := s.names[open:]
	s.names = append(s.names, name)
	bit := nameBit(name)
	isNew := names.bits&bit == 0
	names.bits |= bit
	if len(known) < fewNames {
		return isNew || !slices.Contains(known, name)
	}
	if s.seen == nil {
		s.seen = map[openName]struct{}{}
	}
	if len(known) == fewNames {
		for _, k := range known {
			s.seen[openName{open, k}] = struct{}{}
		}
	}
	before := len(s.seen)
	s.seen[openName{open, name}] = struct{}{}
	return len(s.seen) > before
}

// leave forgets the names of an object.
func (s *scanner) leave(open int) {
	names := s.names[open:]
	if len(names) > fewNames {
		for _, name := range names {
			delete(s.seen, openName{open, name})
		}
	}
	s.names = s.names[:open]
}

func (s *scanner) array(at, depth int) int {
	at = s.space(at + 1)
	if at < len(s.text) && s.text[at] == ']' {
		return at + 1
	}
	for {
		if at = s.value(at, depth+1); at < 0 {
			return -1
		}
		if at = s.space(at); at >= len(s.text) {
			return s.unexpected(at, `"," or "]"`)
		}
		switch s.text[at] {
		case ',':
			at = s.space(at + 1)
		case ']':
			return at + 1
		default:
			return s.unexpected(at, `"," or "]"`)
		}
	}
}

// str reads a string literal that begins at offset at.
func (s *scanner) str(at int) int {
	if s.known {
		return s.knownStr(at)
	}
	i := at + 1
	for {
		i = plainRun(s.text, i)
		if i >= len(s.text) {
			return s.fail(len(s.text), "unexpected end of line", `'"' at the end of the string`)
		}
		switch c := s.text[i]; c {
		case '"':
			return i + 1
		case '\\':
			s.escapes = true
			if i = s.escape(i); i < 0 {
				return -1
			}
		default:
			return s.fail(i, fmt.Sprintf("control character %q in a string", rune(c)), "an escape such as \\n")
		}
	}
}

// knownStr is str in a valid text: it looks for a quote after an even number of backslashes.
func (s *scanner) knownStr(at int) int {
	for i := at + 1; ; i++ {
		i += strings.IndexByte(s.text[i:], '"')
		before := i
		for s.text[before-1] == '\\' {
			before--
		}
		if (i-before)%2 == 0 {
			s.escapes = strings.IndexByte(s.text[at:i], '\\') >= 0
			return i + 1
		}
	}
}

// plainRun returns the offset of the first byte at or after i that is a quote,
// a backslash or a control character, or len(text). It checks eight bytes at a
// time, since nearly all of a plan is prose.
func plainRun(text string, i int) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(text); i += 8 {
		t := text[i : i+8]
		w := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
			uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		stop := (w - ones*0x20) &^ w
		stop |= (quote - ones) &^ quote
		stop |= (slash - ones) &^ slash
		if stop &= high; stop != 0 {
			return i + bits.TrailingZeros64(stop)/8 // a carry can only set bits above the first match
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; c == '"' || c == '\\' || c < 0x20 {
			break
		}
	}
	return i
}

func (s *scanner) escape(at int) int {
	if at+1 >= len(s.text) {
		return s.unexpected(at+1, "an escape")
	}
	switch s.text[at+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return at + 2
	case 'u':
		for i := at + 2; i < at+6; i++ {
			if i >= len(s.text) || !isHex(s.text[i]) {
				return s.unexpected(i, "four hexadecimal digits after \\u")
			}
		}
		return at + 6
	}
	return s.unexpected(at+1, `one of "\/bfnrtu after a backslash`)
}

func (s *scanner) number(at int) int {
	if s.text[at] == '-' {
		at++
	}
	if at >= len(s.text) || !isDigit(s.text[at]) {
		return s.unexpected(at, "a digit")
	}
	if s.text[at] == '0' {
		at++
	} else {
		at = s.digits(at)
	}
	if at < len(s.text) && s.text[at] == '.' {
		if at = s.someDigits(at + 1); at < 0 {
			return -1
		}
	}
	if at < len(s.text) && (s.text[at] == 'e' || s.text[at] == 'E') {
		at++
		if at < len(s.text) && (s.text[at] == '+' || s.text[at] == '-') {
			at++
		}
		return s.someDigits(at)
	}
	return at
}

func (s *scanner) digits(at int) int {
	for at < len(s.text) && isDigit(s.text[at]) {
		at++
	}
	return at
}

func (s *scanner) someDigits(at int) int {
	if at >= len(s.text) || !isDigit(s.text[at]) {
		return s.unexpected(at, "a digit")
	}
	return s.digits(at)
}

func isSpace(c byte) bool {
	return c <= ' ' && (c == ' ' || c == '\t' || c == '\r' || c == '\n')
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
