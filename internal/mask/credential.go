package mask

import "bytes"

// netrc finds the password of a line of .netrc: machine h login u password p, or password p by itself.
func netrc(text []byte, at, end int) span {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	from := skip(text, end, " \t")
	to := runEnd(text, from, isValueByte)
	words := bytes.Fields(line)
	alone := len(words) == 0 && (to == len(text) || text[to] == '\n') && isMixed(text[from:to])
	if to-from < 6 || !alone && (len(words) < 2 || string(words[len(words)-2]) != "login") {
		return span{}
	}
	return span{from, to}
}

// base64Login finds a user and a password in base64, as configurations of docker and npm hold them.
func base64Login(text []byte, at, end int) span {
	if quote := skip(text, end, `\`); text[at] == '"' && (quote == len(text) || text[quote] != '"') {
		return span{}
	}
	from, found := valueStart(text, end)
	to := runEnd(text, from, isKeyByte)
	if !found || to-from < 12 || !isGenerated(text[from:to], 12) && !bytes.HasSuffix(text[from:to], []byte("=")) {
		return span{}
	}
	return span{from, to}
}

// sqlPassword finds the password of an SQL statement, in quotes.
func sqlPassword(text []byte, _, end int) span {
	if end == len(text) || text[end] != '\'' && text[end] != '"' {
		return span{}
	}
	to, _, closed := quotedEnd(text, end+1)
	if !closed || isPlaceholder(text[end+1:to]) {
		return span{}
	}
	return span{end + 1, to}
}

// urlSignature finds the part of a URL that authorizes whoever has it.
func urlSignature(text []byte, _, end int) span {
	to := runEnd(text, end, isValueByte)
	if to-end < 16 {
		return span{}
	}
	return span{end, to}
}
