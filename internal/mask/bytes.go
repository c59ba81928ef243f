package mask

import "bytes"

// runEnd returns where a run of bytes of a kind ends.
func runEnd(text []byte, from int, is func(byte) bool) int {
	for from < len(text) && is(text[from]) {
		from++
	}
	return from
}

// skip returns the first place that has none of the bytes in any.
func skip(text []byte, from int, any string) int {
	for from < len(text) && bytes.IndexByte([]byte(any), text[from]) >= 0 {
		from++
	}
	return from
}

// skipBlanks returns the first place that holds no blank, tab or escape of one.
func skipBlanks(text []byte, from int) int {
	for {
		at := skip(text, from, " \t")
		if escape := skip(text, at, `\`); escape > at && escape < len(text) && text[escape] == 't' {
			at = escape + 1
		}
		if at == from {
			return at
		}
		from = at
	}
}

// skipGap returns the first place that holds no blank, tab or line feed, nor an escape of one. A backslash at the end of a line
// joins it with the next.
func skipGap(text []byte, from int) int {
	for from < len(text) && (text[from] <= ' ' || text[from] == '\\') {
		at := skip(text, from, " \t\n")
		if escape := skip(text, at, `\`); escape > at && escape < len(text) && bytes.IndexByte([]byte("nrt\n "), text[escape]) >= 0 {
			at = escape + 1
		}
		if at == from {
			break
		}
		from = at
	}
	return from
}

// lineBreak returns the place after a line feed, or its escape; the same place where there is neither.
func lineBreak(text []byte, at int) int {
	if at < len(text) && text[at] == '\n' {
		return at + 1
	}
	if to := skip(text, at, `\`); to > at && to < len(text) && text[to] == 'n' {
		return to + 1
	}
	return at
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' || c == '-' || c == '.' }

// isKeyByte reports whether a byte may be part of a key that a service made.
func isKeyByte(c byte) bool {
	return isNameByte(c) || c == '+' || c == '/' || c == '=' || c == '~'
}

// isValueByte reports whether a byte may be part of a value without quotes.
func isValueByte(c byte) bool { return c > ' ' && bytes.IndexByte([]byte("\"'`\\,;)]}<>&|"), c) < 0 }

// isUserByte reports whether a byte may stand in front of a URL's host.
func isUserByte(c byte) bool { return c > ' ' && bytes.IndexByte([]byte("\"'`\\/@?#<>"), c) < 0 }

func hasDigit(text []byte) bool { return bytes.ContainsAny(text, "0123456789") }

// isMixed reports whether a text mixes characters as no word does: letters and digits, many capitals within words, or
// unusual punctuation.
func isMixed(text []byte) bool {
	digits, letters, humps, signs := false, false, 0, false
	for i, c := range text {
		switch {
		case isDigit(c):
			digits = true
		case !isLetter(c):
			signs = signs || bytes.IndexByte([]byte("-_./:"), c) < 0
			continue
		case c <= 'Z' && i > 0 && text[i-1] >= 'a' && text[i-1] <= 'z':
			humps++
		}
		letters = letters || isLetter(c)
	}
	return digits && letters || humps > 3 || signs && (letters || digits)
}

// isKey reports whether a text is mixed, or has letters and digits alone: words with hyphens between them are neither.
func isKey(text []byte) bool {
	return isMixed(text) || !bytes.ContainsAny(text, "-_./")
}

// startsWord reports whether a word may begin at a place. A letter after a backslash is part of an escape, such as \n.
func startsWord(text []byte, at int) bool {
	if at == 0 || !isLetter(text[at-1]) && !isDigit(text[at-1]) {
		return at == 0 || text[at-1] != '-' && text[at-1] != '_'
	}
	return at > 1 && text[at-2] == '\\' && bytes.IndexByte([]byte("nrt"), text[at-1]) >= 0
}
