package mask

import "bytes"

// A sort of name decides which values are taken for secrets.
type sort int

const (
	password    sort = iota // people choose them: nearly anything may be one
	mailer                  // a password, of a name that prose and test reports have too: only with = or quotes
	token                   // machines make them: long, and of more than one kind of character
	columnOrKey             // a token, of a name that columns and settings have too
)

// named finds the value that follows a name: name=value, "name": "value", --name value.
func named(what sort) finder {
	return func(text []byte, at, end int) span {
		from, to, link := value(text, at, end)
		if to <= from || isPlaceholder(text[from:to]) {
			return span{}
		}
		if what == mailer && !startsWord(text, at) {
			return span{}
		}
		variable := what == token && link != loose && bytes.Equal(text[at:end], bytes.ToUpper(text[at:end])) // of an environment
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
	case s == mailer && link == loose:
		return false
	case s == mailer:
		return len(value) >= 6 && isMixed(value)
	case s == columnOrKey:
		return isMade(value, 12)
	case s == password && link != loose:
		return len(value) >= 6
	case s == password:
		return len(value) >= 6 && isMixed(value)
	case link == quoted:
		return len(value) >= 8 && (isMixed(value) || len(value) >= 16)
	}
	if link == loose {
		return len(value) >= 8 && isMade(value, 12) || len(value) >= 32 && (bytes.IndexByte(value, '/') < 0 || !bytes.Equal(value, bytes.ToLower(value))) // not a path
	}
	return len(value) >= 8 && hasDigit(value) && isMixed(value) || len(value) >= 32
}

// isMade reports whether a value has a part without signs that no person would choose as a name: long, of letters and digits, or
// changing between them often. user_id_2 and created_at_v2 are names.
func isMade(value []byte, long int) bool {
	for at := 0; at < len(value); at++ {
		from, changes := at, 0
		for ; at < len(value) && (isLetter(value[at]) || isDigit(value[at])); at++ {
			if at > from && isDigit(value[at]) != isDigit(value[at-1]) {
				changes++
			}
		}
		if changes > 2 || changes > 0 && at-from >= long || at-from >= 2*long && isMixed(value[from:at]) {
			return true
		}
	}
	return false
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
	if from, found = elementStart(text, end); found {
		return from, true
	}
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

// elementStart returns where the text of an element of XML begins: <name>value</name>, in a string of JSON with \u003c for <.
func elementStart(text []byte, end int) (from int, found bool) {
	begin := end
	for begin > 0 && isNameByte(text[begin-1]) {
		begin--
	}
	from = bracket(text, end, '>', "u003e")
	if from == end || begin == 0 || text[begin-1] != '<' && !bytes.HasPrefix(text[begin:], []byte("u003c")) {
		return 0, false
	}
	to := runEnd(text, from, isValueByte)
	closing := bracket(text, to, '<', "u003c")
	return from, closing > to && bytes.HasPrefix(text[closing:], []byte("/"))
}

// bracket returns the place behind a bracket or its escape; the same place where neither stands.
func bracket(text []byte, at int, plain byte, escape string) int {
	if at < len(text) && text[at] == plain {
		return at + 1
	}
	if to := skip(text, at, `\`); to > at && bytes.HasPrefix(text[to:], []byte(escape)) {
		return to + len(escape)
	}
	return at
}

// flagValue skips the blank behind a flag such as --password.
func flagValue(text []byte, at, end int) (from int, found bool) {
	begin := at
	for begin > 0 && isNameByte(text[begin-1]) {
		begin--
	}
	from = skipBlanks(text, end)
	if from == end || !bytes.Contains(text[begin:at+1], []byte("--")) {
		return 0, false
	}
	if quote := skip(text, from, `\`); quote < len(text) && (text[quote] == '"' || text[quote] == '\'') {
		return quote + 1, true
	}
	return from, true
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
	return bytes.IndexByte([]byte("$<{%[/"), value[0]) >= 0 || bytes.ContainsAny(value, "(") || value[len(value)-1] == '[' || bytes.HasPrefix(value, []byte("process.env.")) || len(bytes.Trim(value, "xX.*-_")) == 0
}
