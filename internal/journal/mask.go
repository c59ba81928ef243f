package journal

import "bytes"

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

	// Which classes of marks a byte begins, and in which it comes second, a bit each. Two looks at a table rule out nearly
	// every place of a text, for all shapes at once.
	first, second [256]uint32
}

func newMasker() *masker {
	m := &masker{shapes: shapes()}
	for _, s := range m.shapes {
		if m.first[s.mark[0]] == 0 {
			m.first[s.mark[0]] = 1 << m.classes()
		}
		m.second[s.mark[1]] |= m.first[s.mark[0]]
	}
	return m
}

// classes counts the bytes that marks begin with.
func (m *masker) classes() (n int) {
	for _, bit := range m.first {
		if bit != 0 {
			n++
		}
	}
	return n
}

// seen tells which shapes' marks stand in a text, a bit each.
func (m *masker) seen(text []byte) (found uint64) {
	for i, c := range text[:max(len(text)-1, 0)] {
		if m.first[c]&m.second[text[i+1]] == 0 {
			continue
		}
		for n, s := range m.shapes {
			if s.mark[0] == c && len(text)-i >= len(s.mark) && string(text[i:i+len(s.mark)]) == s.mark {
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
