package mcpserver

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"git-ralph/internal/jsonl"
)

// limits say how much of a value is kept: characters of a string, elements of an array, members of an object. What is left out is counted.
type limits struct{ text, elements, members int }

// levels are tried from the first one, until a value fits.
func levels() []limits {
	return []limits{{8000, 100, 100}, {2000, 30, 60}, {500, 10, 40}, {200, 5, 20}, {60, 3, 10}}
}

// fit returns a value in at most max bytes, with as much of it as possible.
func fit(v jsonl.Value, max int) string {
	for _, l := range levels() {
		if text := l.shorten(v); len(text) <= max {
			return text
		}
	}
	return string(jsonl.Quote(fmt.Sprintf("… (%d bytes, too much for a reply)", len(v))))
}

// shorten returns a value within the limits, on one line.
func (l limits) shorten(v jsonl.Value) string {
	var b strings.Builder
	l.write(&b, v)
	return b.String()
}

func (l limits) write(b *strings.Builder, v jsonl.Value) {
	switch v.Kind() {
	case jsonl.String:
		l.writeString(b, v)
	case jsonl.Array:
		l.writeArray(b, v)
	case jsonl.Map:
		l.writeObject(b, v)
	default:
		b.WriteString(strings.TrimSpace(string(v)))
	}
}

func (l limits) writeString(b *strings.Builder, v jsonl.Value) {
	text, _ := v.Str()
	b.WriteString(string(jsonl.Quote(cut(text, l.text))))
}

// cut returns a text of at most max characters, with the number of bytes that were left out after it.
func cut(text string, max int) string {
	if len(text) <= max || utf8.RuneCountInString(text) <= max {
		return text
	}
	at := 0
	for range max {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return fmt.Sprintf("%s… (%d bytes more)", text[:at], len(text)-at)
}

func (l limits) writeArray(b *strings.Builder, v jsonl.Value) {
	n := 0
	b.WriteByte('[')
	for e := range v.All() {
		if n++; n > l.elements {
			continue
		}
		if n > 1 {
			b.WriteByte(',')
		}
		l.write(b, e)
	}
	if n > l.elements {
		b.WriteString("," + string(jsonl.Quote(fmt.Sprintf("… (%d more)", n-l.elements))))
	}
	b.WriteByte(']')
}

func (l limits) writeObject(b *strings.Builder, v jsonl.Value) {
	b.WriteByte('{')
	o := v.Object()
	for i := range min(o.Len(), l.members) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(string(jsonl.Quote(cut(o.Name(i), l.text))) + ":")
		l.write(b, o.Value(i))
	}
	if more := o.Len() - l.members; more > 0 {
		fmt.Fprintf(b, `,"…":%d`, more)
	}
	b.WriteByte('}')
}
