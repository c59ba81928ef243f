package mask

import "bytes"

// maxCommand is how far after a command's name its flags are looked for, in bytes.
const maxCommand = 400

// flagged finds the password that a command is given by one of its flags: in the next word, or in the same one.
func flagged(flags ...string) finder {
	return func(text []byte, at, end int) span {
		return argument(text, at, end, "&|;", func(word []byte) (int, bool) { return flagEnd(word, flags) })
	}
}

// attached finds a password that follows a flag directly. The word after a flag that is a word by itself is something else.
func attached(flag string) finder {
	return func(text []byte, at, end int) span {
		return argument(text, at, end, "&|;", func(word []byte) (int, bool) {
			return len(flag), len(word) > len(flag) && bytes.HasPrefix(word, []byte(flag))
		})
	}
}

// curlUser finds the password in curl -u user:password.
func curlUser(text []byte, at, end int) span {
	user := argument(text, at, end, "", func(word []byte) (int, bool) {
		if letters := bytes.TrimLeft(word, "-"); len(word)-len(letters) == 1 && bytes.HasSuffix(letters, []byte("u")) && runEnd(letters, 0, isLetter) == len(letters) {
			return len(word), true // -sSu
		}
		return flagEnd(word, []string{"-u", "--user"})
	})
	colon := bytes.IndexByte(text[user.from:user.to], ':')
	if password := (span{user.from + colon + 1, user.to}); colon >= 0 && password.to > password.from && !isPlaceholder(text[password.from:password.to]) {
		return password
	}
	return span{}
}

// flagEnd returns the length of the flag that a word is, or begins with. The value of a long flag follows =.
func flagEnd(word []byte, flags []string) (int, bool) {
	for _, flag := range flags {
		if rest, found := bytes.CutPrefix(word, []byte(flag)); found && (len(rest) == 0 || rest[0] == '=' || len(flag) == 2) {
			return len(word) - len(bytes.TrimPrefix(rest, []byte("="))), true
		}
	}
	return 0, false
}

// argument returns the value of a command's first flag that is wanted and has one; the command's line ends at one of stops.
func argument(text []byte, at, end int, stops string, wanted func(word []byte) (length int, found bool)) span {
	if !startsWord(text, at) {
		return span{}
	}
	for at = end; at < min(len(text), end+maxCommand) && lineBreak(text, at) == at && bytes.IndexByte([]byte(stops), text[at]) < 0; at++ {
		if text[at] != '-' || text[at-1] != ' ' && text[at-1] != '\t' {
			continue
		}
		word := text[at:runEnd(text, at, func(c byte) bool { return c > ' ' })]
		if length, found := wanted(word); found {
			if value := argumentValue(text, skip(text, at+length, " \t")); value.to > value.from {
				return value
			}
		}
	}
	return span{}
}

// argumentValue returns the word of a command line that begins at a place, in quotes or not, if it is not another flag, a
// placeholder or a word of a sentence.
func argumentValue(text []byte, from int) span {
	to := runEnd(text, from, isValueByte)
	if quote := skip(text, from, `\`); quote < len(text) && (text[quote] == '"' || text[quote] == '\'') {
		if closing, _, closed := quotedEnd(text, quote+1); closed {
			from, to = quote+1, closing
		}
	}
	if to-from < 3 || text[from] == '-' || isPlaceholder(text[from:to]) || isProse(text[from:to]) {
		return span{}
	}
	return span{from, to}
}
