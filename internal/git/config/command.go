package config

import (
	"strconv"
	"strings"
)

// maxCount is how many settings of GIT_CONFIG_COUNT are read here; more are left to git.
const maxCount = 1000

// CommandSettings reads the settings that an environment has, as `git -c` and GIT_CONFIG_COUNT pass them on, in order of increasing
// precedence. git before 2.31 ignores GIT_CONFIG_COUNT. It is not ok where git is to read them: where git would report an error, or follow an include.
func CommandSettings(environ []string) (entries []Entry, ok bool) {
	pairs, ok := countedPairs(environ)
	if !ok {
		return nil, false
	}
	passed, _ := Getenv(environ, parameters)
	more, ok := parameterPairs(passed)
	for _, p := range append(pairs, more...) {
		e, valid := p.entry()
		if !valid {
			return nil, false
		}
		entries = append(entries, e)
	}
	return entries, ok
}

// pair is a setting as it was passed.
type pair struct {
	key, value string
	bare       bool // without a value
}

// entry checks the key, and writes it as git does.
func (p pair) entry() (Entry, bool) {
	first, last := strings.IndexByte(p.key, '.'), strings.LastIndexByte(p.key, '.')
	if first <= 0 || last == len(p.key)-1 || !isAlpha(p.key[last+1]) || strings.ContainsRune(p.key[first:last], '\n') {
		return Entry{}, false
	}
	for _, part := range []string{p.key[:first], p.key[last+1:]} {
		for i := range len(part) {
			if !isKey(part[i]) {
				return Entry{}, false
			}
		}
	}
	key := canonicalKey(p.key)
	isInclude := strings.HasPrefix(key, "include.") || strings.HasPrefix(key, "includeif.")
	return Entry{Key: key, Value: p.value, bare: p.bare, scope: "command"}, !isInclude
}

// countedPairs reads GIT_CONFIG_COUNT, GIT_CONFIG_KEY_<n> and GIT_CONFIG_VALUE_<n>.
func countedPairs(environ []string) (pairs []pair, ok bool) {
	text, _ := Getenv(environ, count)
	if text == "" {
		return nil, true
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n > maxCount {
		return nil, false
	}
	for i := range int(n) {
		key, hasKey := Getenv(environ, "GIT_CONFIG_KEY_"+strconv.Itoa(i))
		value, hasValue := Getenv(environ, "GIT_CONFIG_VALUE_"+strconv.Itoa(i))
		if !hasKey || !hasValue {
			return nil, false
		}
		pairs = append(pairs, pair{key: key, value: value})
	}
	return pairs, true
}

// parameterPairs reads GIT_CONFIG_PARAMETERS: words in single quotes with blanks between, 'key=value' as git before 2.31 writes them, or
// 'key'='value'. Without "=" or the second word, a setting has no value.
func parameterPairs(text string) (pairs []pair, ok bool) {
	for text != "" {
		word, rest, ok := dequote(text)
		if !ok {
			return nil, false
		}
		p := pair{key: word}
		if text, ok = strings.CutPrefix(rest, "="); ok {
			if p.bare = text == "" || isSpace(text[0]); !p.bare {
				if p.value, text, ok = dequote(text); !ok {
					return nil, false
				}
			}
		} else {
			text = rest
			key, value, found := strings.Cut(word, "=")
			p = pair{strings.Trim(key, blanks), value, !found}
		}
		if text != "" && !isSpace(text[0]) {
			return nil, false
		}
		text = strings.TrimLeft(text, blanks)
		pairs = append(pairs, p)
	}
	return pairs, true
}

const blanks = " \t\n\r"

// dequote reads a word in single quotes, in which a quote and an exclamation mark may stand between two words, after a backslash; and returns what follows.
func dequote(text string) (word, rest string, ok bool) {
	var out []byte
	for i := 1; i < len(text) && text[0] == '\''; i++ {
		if text[i] != '\'' {
			out = append(out, text[i])
			continue
		}
		rest = text[i+1:]
		if len(rest) < 3 || rest[0] != '\\' || rest[1] != '\'' && rest[1] != '!' || rest[2] != '\'' {
			return string(out), rest, true
		}
		out, i = append(out, rest[1]), i+3
	}
	return "", "", false
}
