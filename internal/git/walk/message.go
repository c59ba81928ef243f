package walk

import (
	"bytes"
	"strconv"
	"strings"
)

// parseMessage reads what a commit object says. What it lacks is left empty: histories have malformed commits.
func parseMessage(data []byte) Message {
	head, text, _ := bytes.Cut(data, []byte("\n\n"))
	var m Message
	encoding := ""
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		word, rest, _ := strings.Cut(string(line), " ")
		switch word {
		case "author":
			m.Author = parseSignature(rest)
		case "committer":
			m.Committer = parseSignature(rest)
		case "encoding":
			encoding = rest
		}
	}
	m.Text = toUTF8(string(text), encoding)
	m.Author.Name, m.Committer.Name = toUTF8(m.Author.Name, encoding), toUTF8(m.Committer.Name, encoding)
	return m
}

// parseSignature reads "Name <address> seconds zone".
func parseSignature(line string) Signature {
	var s Signature
	end := strings.LastIndexByte(line, '>')
	if end < 0 {
		return s
	}
	name, address, _ := strings.Cut(line[:end], "<")
	s.Name, s.Address = strings.TrimSpace(name), strings.TrimSpace(address)
	seconds, zone, _ := strings.Cut(strings.TrimSpace(line[end+1:]), " ")
	s.Time, _ = strconv.ParseInt(seconds, 10, 64)
	if n, err := strconv.Atoi(zone); err == nil {
		s.Zone = n/100*60 + n%100
	}
	return s
}

// toUTF8 converts text of the one other encoding that is met in practice.
func toUTF8(text, encoding string) string {
	switch strings.ToLower(encoding) {
	case "iso-8859-1", "iso8859-1", "latin1", "latin-1":
	default:
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(rune(text[i]))
	}
	return b.String()
}
