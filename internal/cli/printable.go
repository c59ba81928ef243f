package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable returns text as it may go to a terminal: on one line, and with
// every character shown that would steer the terminal or turn the direction of
// writing. Such text comes from plans, branches and commits of strangers.
func printable(text string) string {
	if !strings.ContainsFunc(text, isSteering) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case isSteering(r):
			b.WriteString(shown(r))
		default:
			b.WriteRune(r)
		}
		text = text[size:]
	}
	return b.String()
}

// shown returns how a steering character is made visible.
func shown(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	switch {
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// isSteering tells whether a character does something else than stand there.
func isSteering(r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0: // C0, DEL, C1
		return true
	case r < 0x2000:
		return r == 0x061c // Arabic letter mark
	}
	return r == 0x2028 || r == 0x2029 || unicode.Is(unicode.Bidi_Control, r) || r >= 0xe0000 && r < 0xe0080
}
