package odb

import "strings"

// unquote undoes the quoting of a path that begins with a double quote, as git quotes names with unusual characters.
// Other text, and text that is badly quoted, is returned as it is.
func unquote(s string) string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	var b strings.Builder
	for rest := s[1 : len(s)-1]; rest != ""; {
		if rest[0] != '\\' || len(rest) == 1 {
			b.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		c, n := escaped(rest[1:])
		b.WriteByte(c)
		rest = rest[1+n:]
	}
	return b.String()
}

// escaped returns the byte that stands behind a backslash, and the length of its spelling.
func escaped(s string) (byte, int) {
	if len(s) >= 3 && '0' <= s[0] && s[0] <= '3' && '0' <= s[1] && s[1] <= '7' && '0' <= s[2] && s[2] <= '7' {
		return s[0]&3<<6 | s[1]&7<<3 | s[2]&7, 3
	}
	if i := strings.IndexByte("abtnvfr", s[0]); i >= 0 {
		return byte('\a' + i), 1
	}
	return s[0], 1
}
