package journal

import (
	"bytes"
	"math/bits"
)

// masked stands in a log for what looked like a secret.
const masked = "***"

// A shape is how a secret looks: what it begins with, or what its name ends with, and how many characters at least
// follow. The mark stays.
type shape struct {
	mark  string
	least int
	named bool // the mark is a name; "=", ":" and quotes stand between it and the secret
}

// shapes are the keys of services that agents are commonly given, and what names say of other ones.
func shapes() []shape {
	return []shape{
		{"sk-", 20, false},
		{"ghp_", 20, false},
		{"gho_", 20, false},
		{"ghu_", 20, false},
		{"ghs_", 20, false},
		{"ghr_", 20, false},
		{"github_pat_", 20, false},
		{"glpat-", 16, false},
		{"xoxb-", 16, false},
		{"xoxp-", 16, false},
		{"AKIA", 16, false},
		{"AIza", 30, false},
		{"npm_", 30, false},
		{"hf_", 30, false},
		{"Bearer ", 16, false},
		{"_KEY", 8, true},
		{"_TOKEN", 8, true},
		{"_SECRET", 8, true},
		{"PASSWORD", 6, true},
		{"api_key", 8, true},
		{"apiKey", 8, true},
		{"access_token", 8, true},
		{"client_secret", 8, true},
		{"password", 6, true},
	}
}

// The marks of a private key, which takes many lines, or one with escapes.
const (
	keyMark  = "PRIVATE KEY-----"
	keyStart = "-----BEGIN"
	keyEnd   = "-----END"
)

// A masker masks lines, one batch after the other.
type masker struct {
	shapes []shape
	inKey  bool // a private key has begun that did not end yet

	// Which pairs of bytes a byte begins and ends, of the two with which each mark begins: a bit each, the second pairs from
	// nextPair on. One of them stands at an even place, so that looking at every other place finds all marks.
	begins, ends [256]uint64
}

// nextPair is above the number of shapes.
const nextPair = 32

func newMasker() *masker {
	m := &masker{shapes: shapes()}
	for n, s := range m.shapes {
		for at := range 2 {
			m.begins[s.mark[at]] |= 1 << (n + at*nextPair)
			m.ends[s.mark[at+1]] |= 1 << (n + at*nextPair)
		}
	}
	return m
}

// seen tells which shapes' marks stand in a text, a bit each. It looks at eight bytes at a time: an agent may print very much.
func (m *masker) seen(text []byte) (found uint64) {
	begins, ends := &m.begins, &m.ends
	at := 0
	for ; at+8 <= len(text); at += 8 {
		t := text[at : at+8]
		if begins[t[0]]&ends[t[1]]|begins[t[2]]&ends[t[3]]|begins[t[4]]&ends[t[5]]|begins[t[6]]&ends[t[7]] != 0 {
			found |= m.seenIn(text, at, at+8)
		}
	}
	return found | m.seenIn(text, at, len(text))
}

// seenIn is seen for the pairs of bytes between two places.
func (m *masker) seenIn(text []byte, from, to int) (found uint64) {
	for ; from+1 < to; from += 2 {
		for pairs := m.begins[text[from]] & m.ends[text[from+1]]; pairs != 0; pairs &= pairs - 1 {
			pair := bits.TrailingZeros64(pairs)
			n, at := pair%nextPair, from-pair/nextPair
			if at >= 0 && bytes.HasPrefix(text[at:], []byte(m.shapes[n].mark)) {
				found |= 1 << n
			}
		}
	}
	return found
}

// Mask returns a text with what looks like a secret masked.
func Mask(text string) string {
	m := newMasker()
	return string(m.lines([]byte(text)))
}

// lines returns whole lines with what looks like a secret masked; the same bytes where nothing does.
func (m *masker) lines(text []byte) []byte {
	if m.inKey || bytes.Contains(text, []byte(keyMark)) {
		text = m.keys(text)
	}
	found := m.seen(text)
	for n, s := range m.shapes {
		if found&(1<<n) != 0 {
			text = s.mask(text)
		}
	}
	return text
}

// keys masks private keys, line by line.
func (m *masker) keys(text []byte) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		out = append(out, m.keyLine(line)...)
	}
	return out
}

func (m *masker) keyLine(line []byte) []byte {
	ends := bytes.Contains(line, []byte(keyEnd))
	if m.inKey {
		m.inKey = !ends
		return []byte(masked + "\n")
	}
	begin := bytes.Index(line, []byte(keyStart))
	if begin < 0 || !bytes.Contains(line[begin:], []byte(keyMark)) {
		return line
	}
	begin += len(keyStart)
	out := append(bytes.Clone(line[:begin]), masked...)
	if end := bytes.Index(line[begin:], []byte(keyEnd)); end >= 0 {
		return append(out, line[begin+end:]...)
	}
	m.inKey = true
	return append(out, '\n')
}

// mask masks the secrets of one shape.
func (s shape) mask(text []byte) []byte {
	mark := []byte(s.mark)
	at := bytes.Index(text, mark)
	if at < 0 {
		return text
	}
	var out []byte
	for ; at >= 0; at = bytes.Index(text, mark) {
		from, to := s.secret(text, at+len(mark))
		out = append(out, text[:from]...)
		if to > from {
			out = append(out, masked...)
		}
		text = text[to:]
	}
	return append(out, text...)
}

// secret returns where the secret behind a mark begins and ends; at the mark's end where there is none.
func (s shape) secret(text []byte, end int) (from, to int) {
	from = end
	if s.named {
		for from < len(text) && isBetween(text[from]) {
			from++
		}
		if !bytes.ContainsAny(text[end:from], "=:") {
			return end, end
		}
	}
	to = from
	for to < len(text) && isSecretByte(text[to]) {
		to++
	}
	if to-from < s.least {
		return end, end
	}
	return from, to
}

// isBetween tells whether a byte may stand between a name and its value.
func isBetween(c byte) bool {
	return c == '=' || c == ':' || c == ' ' || c == '"' || c == '\'' || c == '\\'
}

func isSecretByte(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return true
	}
	return c == '-' || c == '_' || c == '.' || c == '+' || c == '/' || c == '=' || c == '~'
}
