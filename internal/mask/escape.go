package mask

import (
	"bytes"
	"strconv"
	"strings"
)

// unescaped returns a line of JSON with \u escapes of printable ASCII as the character itself, and those of control characters
// as plain replaces them: a secret may be spelled with them.
func unescaped(line []byte) []byte {
	at := bytes.Index(line, []byte(`\u`))
	if at < 0 {
		return line
	}
	out := append([]byte(nil), line[:at]...)
	for at < len(line) {
		if line[at] != '\\' || at+1 == len(line) {
			out = append(out, line[at])
			at++
			continue
		}
		size := 2
		if r, err := strconv.ParseUint(string(line[min(at+2, len(line)):min(at+6, len(line))]), 16, 16); line[at+1] == 'u' && err == nil && at+6 <= len(line) {
			size = 6
			switch {
			case r == '\n' || r == '\r' || r == '\t' || r == '"' || r == '\\':
			case r == '\x1b':
				rest, _, _ := strings.Cut(string(line[at+size:]), `"`)
				rest, _, _ = strings.Cut(rest, `\`)
				at += size + sequence("\x1b"+rest) - 1
				continue
			case r == 0:
				at += size
				continue
			case IsControl(rune(r)):
				out, at = append(out, ' '), at+size
				continue
			case r < 0x7f:
				out, at = append(out, byte(r)), at+size
				continue
			}
		}
		out = append(out, line[at:at+size]...)
		at += size
	}
	return out
}
