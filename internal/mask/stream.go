package mask

import (
	"bytes"
	"strings"
)

// A Stream masks the lines of one output in their order: a private key takes many, and a name and its value may stand on two.
type Stream struct {
	masker *Masker
	inKey  bool   // a private key began and did not end yet
	before []byte // the end of the line before, where its last name has no value yet
}

// Stream returns one that has read nothing.
func (m *Masker) Stream() *Stream { return &Stream{masker: m} }

// Text returns the next lines of a text without secrets and control characters.
func (s *Stream) Text(text string) string {
	text = plain(text)
	if !strings.Contains(text, "\n") {
		return string(s.line([]byte(text)))
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		body, ends := strings.CutSuffix(line, "\n")
		b.Write(s.line([]byte(body)))
		if ends {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Line returns the next line, of text or JSON, without secrets and control characters; the same bytes where it has none.
func (s *Stream) Line(line []byte) []byte {
	if len(line) > 0 && line[0] == '{' {
		line = unescaped(line)
	}
	if !isPlain(line) {
		line = []byte(plain(string(line)))
	}
	return s.line(line)
}

func (s *Stream) line(line []byte) []byte {
	var key []byte // the part of the line that belongs to a private key
	if s.inKey {
		end := bytes.Index(line, []byte(keyEnd))
		if end < 0 {
			return []byte(Masked)
		}
		key, line, s.inKey = []byte(Masked), line[end:], false
	}
	if len(s.before) > 0 {
		line = s.continued(line)
	}
	secrets := s.masker.secrets(line)
	s.inKey = len(secrets) > 0 && opensKey(line)
	line = hide(line, secrets)
	s.before = append(s.before[:0], unfinished(line)...)
	if key != nil {
		return append(key, line...)
	}
	return line
}

// continued masks the part of a line that is the value of a name in the line before.
func (s *Stream) continued(line []byte) []byte {
	joint := append(append(s.before, ' '), line...)
	begin := len(joint) - len(line)
	var parts []span
	for _, secret := range s.masker.secrets(joint) {
		if secret.to > begin {
			parts = append(parts, span{max(secret.from, begin) - begin, secret.to - begin})
		}
	}
	return hide(line, parts)
}

// maxName is how much of a line is kept for the next one, in bytes.
const maxName = 80

// unfinished returns the end of a line that announces a value and does not give it.
func unfinished(line []byte) []byte {
	line = bytes.TrimRight(line[max(len(line)-maxName, 0):], " \t\r\\")
	word := line[bytes.LastIndexByte(line, ' ')+1:]
	if len(word) == 0 {
		return nil
	}
	last := word[len(word)-1]
	if last == '=' || last == ':' || bytes.HasPrefix(word, []byte("--")) || bytes.EqualFold(word, []byte("bearer")) || bytes.EqualFold(word, []byte("basic")) {
		return line
	}
	return nil
}
