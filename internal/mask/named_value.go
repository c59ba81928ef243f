package mask

import "bytes"

// A kind of name decides which values are taken for secrets.
type kind int

const (
	password          kind = iota // people choose them: nearly anything may be one
	ambiguousPassword             // a password, by a name that prose and test reports contain too, such as pass: only with = or quotes
	token                         // programs generate them: long, and of more than one kind of character
	columnOrKey                   // a token, by a name that columns and settings have too
)

// named finds the value that follows a name: name=value, "name": "value", --name value.
func named(what kind) finder {
	return func(text []byte, at, end int) span {
		from, to, link := value(text, at, end)
		if from == 0 || what == ambiguousPassword && !startsWord(text, at) {
			return span{}
		}
		if link == loose {
			if secret, found := what.inBlock(text, at, from); found {
				return secret
			}
		}
		if to <= from || isPlaceholder(text[from:to]) || !what.covers(text[at:end], text[from:to], link) {
			return span{}
		}
		return span{from, to}
	}
}

// A link is how a name and its value are connected.
type link int

const (
	loose  link = iota // "name: value", as in prose, or --name value
	tight              // name=value, name:value
	quoted             // "name": "value", name = 'value'
	phrase             // the same, with blanks in it
)

// covers reports whether the value of a name is likely a secret. In prose any word may follow a colon.
func (s kind) covers(name, value []byte, link link) bool {
	switch {
	case link == phrase:
		return (s == password || bytes.EqualFold(name, []byte("secret"))) && !isProse(value)
	case link != loose && isVariable(name) && (s == password && len(value) >= 4 || s == token && len(value) >= 8):
		return true
	case s == ambiguousPassword && link == loose:
		return false
	case s == ambiguousPassword:
		return len(value) >= 6 && isMixed(value)
	case s == columnOrKey:
		return isGenerated(value, 12)
	case s == password && link != loose:
		return len(value) >= 6
	case s == password:
		return len(value) >= 6 && isMixed(value)
	case link == quoted:
		return len(value) >= 8 && (isMixed(value) || len(value) >= 16)
	}
	if link == loose {
		return len(value) >= 8 && isGenerated(value, 12) || len(value) >= 32 && (bytes.IndexByte(value, '/') < 0 || !bytes.Equal(value, bytes.ToLower(value))) // not a path
	}
	return len(value) >= 8 && hasDigit(value) && isMixed(value) || len(value) >= 32
}

// isVariable reports whether a name is that of an environment variable. PWD
// alone is a directory.
func isVariable(name []byte) bool {
	return len(name) > len("PWD") && bytes.Equal(name, bytes.ToUpper(name))
}

// isGenerated reports whether a value has a part without punctuation that no person would choose as a name: letters and
// digits of at least the length minLength, or many changes between them. user_id_2 and created_at_v2 are names.
func isGenerated(value []byte, minLength int) bool {
	for at := 0; at < len(value); at++ {
		from, changes := at, 0
		for ; at < len(value) && (isLetter(value[at]) || isDigit(value[at])); at++ {
			if at > from && isDigit(value[at]) != isDigit(value[at-1]) {
				changes++
			}
		}
		if changes > 2 || changes > 0 && at-from >= minLength || at-from >= 2*minLength && isMixed(value[from:at]) {
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
	if last := text[from-1]; last == ' ' || last == '\t' || last == '\n' || endsEscape(text[:from]) {
		how = loose
	}
	if how == loose && startsPair(text, from) {
		return 0, 0, loose
	}
	if open := text[from-1]; open == '"' || open == '\'' || open == '`' {
		if to, how, closed := quotedEnd(text, from); closed {
			return from, to, how
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
	from = skipGap(text, at)
	if quote := skip(text, from, `\`); quote < len(text) && bytes.IndexByte([]byte("\"'`"), text[quote]) >= 0 {
		return quote + 1, true
	}
	return from, true
}

// startsPair reports whether another name and its value begin at a place: the value of the name before it is empty.
func startsPair(text []byte, from int) bool {
	end := runEnd(text, from, isNameByte)
	return end > from && end+1 < len(text) && text[end] == '=' && isNameByte(text[end+1])
}

// endsEscape reports whether a text ends with an escape of a blank, such as \t.
func endsEscape(text []byte) bool {
	return len(text) > 1 && text[len(text)-2] == '\\' && bytes.IndexByte([]byte("nrt"), text[len(text)-1]) >= 0
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

// bracket returns the place after a bracket or its escape; the same place where there is neither.
func bracket(text []byte, at int, plain byte, escape string) int {
	if at < len(text) && text[at] == plain {
		return at + 1
	}
	if to := skip(text, at, `\`); to > at && bytes.HasPrefix(text[to:], []byte(escape)) {
		return to + len(escape)
	}
	return at
}

// flagValue skips the blank after a flag such as --password.
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

// maxPhrase is how long a quoted value with blanks may be, in bytes.
const maxPhrase = 200

// quotedEnd returns where a quoted value ends: at the same quote, escaped as often, in the same line. One with blanks is a
// phrase that begins with a letter or digit: code between two strings does not.
func quotedEnd(text []byte, from int) (to int, how link, closed bool) {
	quote, depth := text[from-1], backslashes(text, from-1)
	how = quoted
	for to = from; to < len(text); to++ {
		switch {
		case text[to] == quote && backslashes(text[from:], to-from) <= depth:
			closed = backslashes(text[from:], to-from) == depth
			to -= depth
			return to, how, closed && to > from && text[to-1] != ' '
		case text[to] == ' ' || text[to] == '\t':
			if !isLetter(text[from]) && !isDigit(text[from]) || to-from > maxPhrase {
				return 0, loose, false
			}
			how = phrase
		case how == phrase && lineBreak(text, to) > to, text[to] == '\n':
			return 0, loose, false
		}
	}
	return 0, loose, false
}

// backslashes counts the backslashes directly before a place.
func backslashes(text []byte, at int) (n int) {
	for at-n > 0 && text[at-n-1] == '\\' {
		n++
	}
	return n
}

// isPlaceholder reports whether a value only stands for a secret: a variable, a call, a path, a verb of a format, or one that was
// masked already.
func isPlaceholder(value []byte) bool {
	if value[0] == '%' {
		return isVerb(value)
	}
	return bytes.IndexByte([]byte("$<{[/"), value[0]) >= 0 || bytes.ContainsAny(value, "(") || value[len(value)-1] == '[' || bytes.HasPrefix(value, []byte("process.env.")) || len(bytes.Trim(value, "xX.*-_…")) == 0
}

// isVerb reports whether a value that begins with % is the verb of a format string (%s, %-20v, %[1]q, %(name)s) or a
// variable (%NAME%), and not a percent-encoded character (%40).
func isVerb(value []byte) bool {
	end := skip(value, 1, "+-# .*0123456789")
	return end >= len(value)-1 || bytes.IndexByte([]byte("([{"), value[1]) >= 0 || value[len(value)-1] == '%'
}
