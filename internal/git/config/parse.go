package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
)

// errConfigSyntax: a configuration file contains something that this package does not understand and git may.
var errConfigSyntax = errors.New("configuration not understood")

// Entry is one setting. Section and name of the key are in lower case, the subsection is as written.
type Entry struct {
	Key   string
	Value string
	bare  bool   // a name without "=", which means true
	scope string // where it was set: "system", "global", "local", "worktree", "command"
}

// ParseFile reads the settings of a configuration file, without what it includes.
func ParseFile(path string) ([]Entry, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	entries, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return entries, nil
}

// parse reads the text of a configuration file in git's syntax. It returns errConfigSyntax for everything that git
// rejects and for the few things that versions of git read differently.
func parse(data []byte) ([]Entry, error) {
	p := &parser{data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))}
	for p.pos < len(p.data) {
		c := p.next()
		switch {
		case isSpace(c):
		case c == '#' || c == ';':
			p.skipLine()
		case c == '[':
			if !p.section() {
				return nil, errConfigSyntax
			}
		case isAlpha(c) && p.prefix != "":
			if !p.setting(c) {
				return nil, errConfigSyntax
			}
		default:
			return nil, errConfigSyntax
		}
	}
	return p.entries, nil
}

type parser struct {
	data    []byte
	pos     int
	prefix  string // "section." or "section.subsection."
	entries []Entry
}

// next returns the next byte, a line break for CR LF, and a line break at the end of the data.
func (p *parser) next() byte {
	if p.pos >= len(p.data) {
		p.pos++
		return '\n'
	}
	c := p.data[p.pos]
	p.pos++
	if c == '\r' && p.pos < len(p.data) && p.data[p.pos] == '\n' {
		p.pos++
		return '\n'
	}
	return c
}

func (p *parser) skipLine() {
	for p.pos < len(p.data) && p.next() != '\n' {
	}
}

// section reads what follows "[".
func (p *parser) section() bool {
	var name []byte
	for p.pos < len(p.data) {
		c := p.next()
		switch {
		case c == ']':
			p.prefix = string(name) + "."
			return len(name) > 0
		case isSpace(c):
			return c != '\n' && len(name) > 0 && p.subsection(string(name))
		case isKey(c) || c == '.':
			name = append(name, lower(c))
		default:
			return false
		}
	}
	return false
}

// subsection reads `"name"]`, in which a backslash takes the next character as it is.
func (p *parser) subsection(section string) bool {
	c := p.next()
	for c == ' ' || c == '\t' {
		c = p.next()
	}
	if c != '"' {
		return false
	}
	var name []byte
	for {
		switch c = p.next(); c {
		case '\n':
			return false
		case '"':
			p.prefix = section + "." + string(name) + "."
			return p.next() == ']'
		case '\\':
			if c = p.next(); c == '\n' {
				return false
			}
		}
		name = append(name, c)
	}
}

// setting reads a name that starts with first, and its value.
func (p *parser) setting(first byte) bool {
	key := append([]byte(p.prefix), lower(first))
	c := p.next()
	for isKey(c) {
		key = append(key, lower(c))
		c = p.next()
	}
	for c == ' ' || c == '\t' {
		c = p.next()
	}
	e := Entry{Key: string(key), bare: c == '\n'}
	if !e.bare {
		if c != '=' {
			return false
		}
		value, ok := p.value()
		if !ok {
			return false
		}
		e.Value = value
	}
	p.entries = append(p.entries, e)
	return true
}

// value reads up to the end of the line: quotes, escapes and comments are handled, outer blanks removed. git 2.44 and older
// replace each blank between words by a space, later versions keep it: blanks other than spaces are therefore an error.
func (p *parser) value() (string, bool) {
	var out []byte
	quoted, wasQuoted, blanks, odd := false, false, 0, false
	for {
		c := p.next()
		switch {
		case c == '\n':
			return string(out), !quoted
		case c == 0:
			return "", false
		case isSpace(c) && !quoted:
			blanks++
			odd = odd || c != ' '
			continue
		case (c == '#' || c == ';') && !quoted:
			p.skipLine()
			return string(out), true
		}
		if blanks > 0 && (len(out) > 0 || wasQuoted) {
			if odd || len(out) == 0 {
				return "", false
			}
			out = append(out, strings.Repeat(" ", blanks)...)
		}
		blanks, odd = 0, false
		switch c {
		case '"':
			quoted, wasQuoted = !quoted, true
		case '\\':
			c, ok := unescape(p.next())
			if !ok {
				return "", false
			}
			out = append(out, c...)
		default:
			out = append(out, c)
		}
	}
}

// unescape returns the value of the escape sequence of a backslash and c; that of a line break is empty.
func unescape(c byte) (string, bool) {
	switch c {
	case '\n':
		return "", true
	case 't':
		return "\t", true
	case 'b':
		return "\b", true
	case 'n':
		return "\n", true
	case '\\', '"':
		return string(c), true
	}
	return "", false
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isAlpha(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
func isKey(c byte) bool   { return isAlpha(c) || '0' <= c && c <= '9' || c == '-' }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
