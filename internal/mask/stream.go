package mask

import (
	"bytes"
	"strings"
)

// A Stream masks the lines of one output in their order: a private key takes many lines, and a name and its value may be on
// two.
type Stream struct {
	masker *Masker
	inKey  bool   // a private key began and did not end yet
	before []byte // the end of the line before, where its last name has no value yet
	block  *yaml  // that this line may be of
}

// A yaml is a block of YAML, whose lines are indented deeper than its header. It is a secret if its first line is one.
type yaml struct {
	indent int
	masked bool // its first line was a secret
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
		if len(bytes.TrimSpace(line)) == 0 {
			return line
		}
		line = s.continued(line)
	}
	secrets := s.masker.secrets(line)
	s.inKey = s.inKey || len(secrets) > 0 && opensKey(line)
	line = hide(line, secrets)
	if s.block == nil {
		s.keepEnd(line)
	}
	if key != nil {
		return append(key, line...)
	}
	return line
}

// keepEnd keeps the end of the line where the next line, or a block of YAML,
// may be the value of its last name.
func (s *Stream) keepEnd(line []byte) {
	s.before = append(s.before[:0], unfinished(line)...)
	if mark := bytes.LastIndexAny(s.before, "|>"); mark >= 0 {
		if _, found := blockHeader(s.before, mark); found {
			s.block = &yaml{indent: indentOf(line, 0)}
		}
	}
}

// continued masks the part of a line that is the value of a name in the line before, or in the header of its block.
func (s *Stream) continued(line []byte) []byte {
	joiner := byte(' ')
	if s.block != nil {
		if skip(line, 0, " \t") <= s.block.indent {
			s.block, s.before = nil, s.before[:0]
			return line
		}
		s.inKey = opensKey(line)
		if s.block.masked {
			return masked(line)
		}
		joiner = '\n'
	}
	line, found := s.joined(line, joiner)
	if s.block != nil && found {
		s.block.masked = true
	} else {
		s.block = nil
	}
	return line
}

// masked returns a line of which nothing but its indentation is shown.
func masked(line []byte) []byte { return append(bytes.Clone(line[:skip(line, 0, " \t")]), Masked...) }

// joined masks the secrets of a line as they are found when the end of the line
// before is put in front of it.
func (s *Stream) joined(line []byte, joiner byte) (masked []byte, found bool) {
	joint := append(append(s.before, joiner), line...)
	begin := len(joint) - len(line)
	var parts []span
	for _, secret := range s.masker.secrets(joint) {
		if secret.to > begin {
			parts = append(parts, span{max(secret.from, begin) - begin, secret.to - begin})
		}
	}
	return hide(line, parts), len(parts) > 0
}

// maxName is how much of a line is kept for the next one, in bytes.
const maxName = 80

// unfinished returns the end of a line that announces a value and does not give it.
func unfinished(line []byte) []byte {
	line = bytes.TrimSpace(bytes.TrimRight(line[max(len(line)-maxName, 0):], " \t\r\\"))
	if colon := bytes.LastIndexByte(line, ':'); colon >= 0 {
		if _, found := blockHeader(line, skip(line, colon+1, " \t")); found {
			return line
		}
	}
	word := line[bytes.LastIndexByte(line, ' ')+1:]
	if len(word) == 0 {
		return nil
	}
	last := word[len(word)-1]
	if last == '=' || last == ':' || bytes.HasPrefix(word, []byte("--")) || len(word) == 2 && word[0] == '-' || bytes.EqualFold(word, []byte("bearer")) || bytes.EqualFold(word, []byte("basic")) {
		return line
	}
	return nil
}
