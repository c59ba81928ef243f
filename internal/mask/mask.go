package mask

import (
	"bytes"
	"cmp"
	"slices"
)

// Masked replaces a secret.
const Masked = "***"

// A Masker finds secrets in text. It may be used by several goroutines.
type Masker struct {
	words  *automaton // the marks of our own rules, then the keywords of the published ones
	shapes []ownRule
	rules  []rule
	ruleOf []int // by word, less the shapes
}

// New returns a Masker with our own rules only.
func New() *Masker { return newMasker(nil) }

// NewFull returns a Masker with the published gitleaks rules too. Compiling them takes time and memory.
func NewFull() *Masker { return newMasker(rules()) }

func newMasker(rules []rule) *Masker {
	m := &Masker{shapes: ownRules(), rules: rules}
	var words []string
	for _, s := range m.shapes {
		words = append(words, s.mark)
	}
	for n, r := range rules {
		for _, word := range r.keywords {
			words, m.ruleOf = append(words, word), append(m.ruleOf, n)
		}
	}
	m.words = newAutomaton(words)
	return m
}

// HasSecret reports whether a text contains what looks like a secret.
func (m *Masker) HasSecret(text string) bool {
	return len(m.secrets([]byte(text))) > 0
}

// Text returns a text, which is not part of a stream, without secrets and control characters. Line feeds and tabs stay.
func (m *Masker) Text(text string) string { return m.Stream().Text(text) }

// hide returns a text with the parts masked; the same bytes where there are none.
func hide(text []byte, parts []span) []byte {
	if len(parts) == 0 {
		return text
	}
	slices.SortFunc(parts, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var out []byte
	done := 0
	for _, s := range parts {
		if s.from >= done {
			out = append(append(out, text[done:s.from]...), Masked...)
		}
		done = max(done, s.to)
	}
	return append(out, text[done:]...)
}

// secrets returns the parts of a text that look like secrets.
func (m *Masker) secrets(text []byte) []span {
	var found []span
	var readable []byte   // text without escapes, made when it is first needed
	var tried map[int]int // by rule: up to where it was tried
	m.words.scan(text, func(word uint16, end int) {
		if n := int(word); n < len(m.shapes) {
			found = append(found, m.shapes[n].in(text, end)...)
			return
		}
		n := m.ruleOf[int(word)-len(m.shapes)]
		if readable == nil {
			readable, tried = withoutEscapes(text), map[int]int{}
		}
		if end <= tried[n]-reachBehind/2 || tried[n] == len(text) {
			return
		}
		from, to := max(end-reachBefore, 0), min(end+reachBehind, len(text))
		tried[n] = to
		for _, s := range m.rules[n].find(readable[from:to]) {
			found = append(found, span{from + s.from, from + s.to})
		}
	})
	return found
}

// in returns the secret of a mark that ends at a place, if there is one.
func (s ownRule) in(text []byte, end int) []span {
	at := end - len(s.mark)
	if s.exact && string(text[at:end]) != s.mark {
		return nil
	}
	if found := s.find(text, at, end); found.to > found.from {
		return []span{found}
	}
	return nil
}

// withoutEscapes returns a text of the same length in which escapes of JSON strings are blanks, as a rule's expression takes
// the n of \n for a letter.
func withoutEscapes(text []byte) []byte {
	at := bytes.IndexByte(text, '\\')
	if at < 0 {
		return text
	}
	out := bytes.Clone(text)
	for ; at < len(out); at++ {
		if out[at] != '\\' {
			continue
		}
		to := skip(out, at, `\`)
		if to < len(out) && bytes.IndexByte([]byte(`nrt"'/`), out[to]) >= 0 {
			if isLetter(out[to]) {
				out[to] = ' '
			}
			for i := at; i < to; i++ {
				out[i] = ' '
			}
		}
		at = to
	}
	return out
}
