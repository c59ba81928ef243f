package mask

import "bytes"

// A sort of name decides which values are taken for secrets.
type sort int

const (
	password sort = iota // people choose them: nearly anything may be one
	token                // machines make them: long, and of more than one kind of character
)

// named finds the value that follows a name: name=value, "name": "value", --name value.
func named(what sort) finder {
	return func(text []byte, at, end int) span {
		from, to, link := value(text, at, end)
		if to <= from || isPlaceholder(text[from:to]) {
			return span{}
		}
		variable := link != loose && bytes.Equal(text[at:end], bytes.ToUpper(text[at:end])) // of an environment
		if !what.covers(text[from:to], link) && !(variable && to-from >= 8) {
			return span{}
		}
		return span{from, to}
	}
}

// A link is what stands between a name and its value.
type link int

const (
	loose  link = iota // "name: value", as in prose, or --name value
	tight              // name=value, name:value
	quoted             // "name": "value", name = 'value'
)

// covers reports whether a value is likely a secret. In prose any word may follow a colon.
func (s sort) covers(value []byte, link link) bool {
	switch {
	case s == password && link != loose:
		return len(value) >= 6
	case s == password:
		return len(value) >= 6 && isMixed(value)
	case link == quoted:
		return len(value) >= 8 && (isMixed(value) || len(value) >= 16)
	}
	return len(value) >= 8 && hasDigit(value) && isMixed(value) || len(value) >= 32
}

// value returns where the value of a name begins and ends.
func value(text []byte, at, end int) (from, to int, how link) {
	from, found := valueStart(text, end)
	if !found {
		if from, found = flagValue(text, at, end); !found {
			return 0, 0, loose
		}
	}
	how = tight
	if last := text[from-1]; last == ' ' || last == '\t' || last == '\n' {
		how = loose
	}
	if open := text[from-1]; open == '"' || open == '\'' || open == '`' {
		if to, closed := quotedEnd(text, from); closed {
			return from, to, quoted
		}
	}
	to = runEnd(text, from, isValueByte)
	for to > from && bytes.IndexByte([]byte(".!?:"), text[to-1]) >= 0 { // of the sentence
		to--
	}
	return from, to, how
}

// valueStart skips the rest of a name's quotes, one of = : => and what follows it.
func valueStart(text []byte, end int) (from int, found bool) {
	at := skip(text, end, " \t\"'`\\")
	if at >= len(text) || text[at] != '=' && text[at] != ':' {
		return 0, false
	}
	for at < len(text) && (text[at] == '=' || text[at] == ':' || text[at] == '>') {
		at++
	}
	blank := skip(text, at, " \t\n\\")
	if quote := skip(text, blank, "\"'`"); quote > blank {
		return min(quote, blank+1), true
	}
	return skip(text, at, " \t\n"), true
}

// flagValue skips the blank behind a flag such as --password.
func flagValue(text []byte, at, end int) (from int, found bool) {
	begin := at
	for begin > 0 && isNameByte(text[begin-1]) {
		begin--
	}
	if !bytes.Contains(text[begin:at+1], []byte("--")) || end >= len(text) || text[end] != ' ' {
		return 0, false
	}
	if from = skip(text, end, ` \`); from < len(text) && (text[from] == '"' || text[from] == '\'') {
		return from + 1, true
	}
	return skip(text, end, " "), true
}

// quotedEnd returns where a quoted value ends: at the same quote, escaped as often. A value holds no blanks, which prose has.
func quotedEnd(text []byte, from int) (to int, closed bool) {
	quote, depth := text[from-1], backslashes(text, from-1)
	for to = from; to < len(text); to++ {
		switch {
		case text[to] == quote && backslashes(text[from:], to-from) == depth:
			return to - depth, to-depth > from
		case text[to] == ' ' || text[to] == '\t' || text[to] == '\n':
			return 0, false
		}
	}
	return 0, false
}

// backslashes counts those directly before a place.
func backslashes(text []byte, at int) (n int) {
	for at-n > 0 && text[at-n-1] == '\\' {
		n++
	}
	return n
}

// isPlaceholder reports whether a value only stands for a secret: a variable, a call, a path, or one that was masked already.
func isPlaceholder(value []byte) bool {
	return bytes.IndexByte([]byte("$<{%[/"), value[0]) >= 0 || bytes.ContainsAny(value, "(") || len(bytes.Trim(value, "xX.*-_")) == 0
}
