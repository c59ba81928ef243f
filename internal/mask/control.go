package mask

import (
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain returns a text without control characters. A terminal's escape sequences are left out as a whole, other control
// characters and marks that change the direction of writing become spaces, NUL is left out, and bytes that are no UTF-8
// become U+FFFD.
func plain(text string) string {
	if isPlain([]byte(text)) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == '\x1b' || r == '\u009b':
			size = sequence(text)
		case r == '\r' && strings.HasPrefix(text, "\r\n"):
		case r == 0: // of UTF-16, in which a secret would be apart
		case r == '\n' || r == '\t' || !IsControl(r):
			b.WriteRune(r)
		default:
			b.WriteByte(' ')
		}
		text = text[size:]
	}
	return b.String()
}

// isPlain reports whether there is nothing to replace.
func isPlain(text []byte) bool {
	i := 0
	for i < len(text) {
		if i+8 <= len(text) && isPrintable8(binary.LittleEndian.Uint64(text[i:])) {
			i += 8
			continue
		}
		if c := text[i]; c-' ' >= 0x7f-' ' && c != '\n' && c != '\t' {
			break
		}
		i++
	}
	rest := string(text[i:])
	return utf8.ValidString(rest) && !strings.ContainsFunc(rest, func(r rune) bool { return r != '\n' && r != '\t' && IsControl(r) })
}

// isPrintable8 reports whether eight bytes are printable ASCII, all at once: none has the highest bit, gets it by adding 1, as DEL
// does, or takes a carry from it when a space is subtracted, as what comes before the space does.
func isPrintable8(x uint64) bool {
	const each = 0x0101010101010101
	return (x|(x+each)|(x-' '*each))&(0x80*each) == 0
}

// IsControl reports whether a character controls a terminal, breaks the line or changes the direction of writing.
func IsControl(r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0: // C0, DEL, C1
		return true
	case r < 0x2000:
		return r == 0x061c // Arabic letter mark
	}
	return r == 0x2028 || r == 0x2029 || unicode.Is(unicode.Bidi_Control, r) || r >= 0xe0000 && r < 0xe0080
}

// sequence returns the length of the escape sequence that a text begins with: ESC [ … letter, ESC ] … BEL, ESC and one
// character.
func sequence(text string) int {
	_, begin := utf8.DecodeRuneInString(text)
	if text[0] == '\x1b' {
		if len(text) == 1 {
			return 1
		}
		switch text[1] {
		case '[':
			begin = 2
		case ']':
			return commandEnd(text)
		default:
			_, size := utf8.DecodeRuneInString(text[1:])
			return 1 + size
		}
	}
	for i := begin; i < len(text); i++ {
		if c := text[i]; c >= '@' && c <= '~' {
			return i + 1
		} else if c < ' ' || c >= 0x7f {
			return i
		}
	}
	return len(text)
}

// commandEnd returns the length of ESC ] … that BEL or ESC \ ends, within its line.
func commandEnd(text string) int {
	for i := 2; i < len(text); i++ {
		switch {
		case text[i] == '\a':
			return i + 1
		case strings.HasPrefix(text[i:], "\x1b\\"):
			return i + 2
		case text[i] == '\n':
			return i
		}
	}
	return len(text)
}
