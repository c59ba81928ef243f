package mask

import "bytes"

// inBlock finds the secret in the block of YAML that a name has for its value. found is false where it has another one.
func (s kind) inBlock(text []byte, name, at int) (secret span, found bool) {
	if lines, found := blockHeader(text, at); found {
		if all := block(text, name, lines); s.isSecretBlock(text[all.from:all.to]) {
			return all, true
		}
		return span{}, true
	}
	if mark := blockMark(text, at); mark > at {
		return s.inLine(text, mark), true
	}
	return span{}, false
}

// inLine finds the words of a block whose lines were joined with blanks.
func (s kind) inLine(text []byte, mark int) (all span) {
	for {
		from := skip(text, mark, " \t")
		to := runEnd(text, from, isValueByte)
		word := text[from:to]
		if from == mark || to == from || !isMixed(word) || !s.isSecretBlock(word) {
			return all
		}
		if all.from == 0 {
			all.from = from
		}
		all.to, mark = to, to
	}
}

// blockMark returns the place after the mark of a block and its indicators; the same place where there is none.
func blockMark(text []byte, at int) int {
	from := max(bracket(text, at, '|', "u007c"), bracket(text, at, '>', "u003e"))
	if from == at {
		return at
	}
	return skip(text, from, "+-0123456789")
}

// blockHeader returns where the lines of a block of YAML begin whose mark (| or >, with signs behind it) stands at a place.
// found is false where there is no such mark at the end of a line. The end of the text is an end of a line.
func blockHeader(text []byte, at int) (lines int, found bool) {
	mark := blockMark(text, at)
	if mark == at {
		return 0, false
	}
	end := skip(text, mark, " \t")
	if end < len(text) && text[end] == '#' {
		for end < len(text) && lineBreak(text, end) == end {
			end++
		}
	}
	lines = lineBreak(text, end)
	return lines, lines > end || end == len(text)
}

// block returns the lines of a block of YAML from the first letter to the last: those that are indented deeper than the line
// of its name. It ends with the string of JSON that it is in.
func block(text []byte, name, lines int) span {
	depth := 0 // of the escape of a line feed
	for lines-2-depth >= 0 && text[lines-1] == 'n' && text[lines-2-depth] == '\\' {
		depth++
	}
	outer, all := indentOf(text, lineStart(text, name)), span{}
	for at := lines; at < len(text); {
		from := skip(text, at, " \t")
		end := from
		for end < len(text) && lineBreak(text, end) == end && (text[end] != '"' || backslashes(text, end) >= depth) {
			end++
		}
		if end > from && from-at <= outer {
			break
		}
		if end > from && all.from == 0 {
			all.from = from
		}
		if end > from {
			all.to = end - backslashes(text, end)
		}
		at = lineBreak(text, end)
		if at == end {
			break
		}
	}
	return all
}

// isSecretBlock reports whether the text of a block of YAML is likely a secret, by its first line.
func (s kind) isSecretBlock(text []byte) bool {
	end := 0
	for end < len(text) && lineBreak(text, end) == end {
		end++
	}
	text = text[:end]
	switch {
	case len(text) < 6 || isPlaceholder(text) || isProse(text) || s == ambiguousPassword:
		return false
	case s == password:
		return true
	}
	first := bytes.Fields(text)[0]
	return isGenerated(first, 12) || len(first) >= 16 && isMixed(first)
}

// indentOf counts the blanks before the name in a line. The hyphen of a list
// item counts as one.
func indentOf(line []byte, from int) int { return skip(line, from, " \t-") - from }

// lineStart returns where the line of a place begins, behind a line feed or its escape.
func lineStart(text []byte, at int) int {
	for at > 0 && text[at-1] != '\n' && (text[at-1] != 'n' || at < 2 || text[at-2] != '\\') {
		at--
	}
	return at
}
