package mask

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Printable returns text as it may go to a terminal or into a picture: on one line, and with every control character shown. Such text comes from
// plans, branches and commits of strangers.
func Printable(text string) string {
	if !strings.ContainsFunc(text, IsControl) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case IsControl(r):
			b.WriteString(shown(r))
		default:
			b.WriteRune(r)
		}
		text = text[size:]
	}
	return b.String()
}

// shown returns how a control character is made visible.
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
