package term

import (
	"bytes"
	"io"
	"strings"

	"git-ralph/internal/jsonl"
)

// A Sink takes the pieces of a JSON text. Records are written as the plan holds
// them, byte for byte: nothing is decoded to be printed.
type Sink interface {
	io.StringWriter
	io.ByteWriter
}

// WriteJSON prints one JSON value and a line feed: as it is written for
// programs, indented and without control characters on a terminal.
func (e *Env) WriteJSON(write func(Sink)) {
	if out, ok := e.Out.(Sink); ok && !e.Terminal {
		write(out)
		out.WriteByte('\n')
		return
	}
	var b bytes.Buffer
	write(&b)
	if e.Terminal {
		e.Out.Write(Indent(b.String()))
		return
	}
	b.WriteByte('\n')
	e.Out.Write(b.Bytes())
}

// An Object writes the members of a JSON object one by one.
type Object struct {
	Sink
	open bool // a member was written
}

// Member begins a member; its value is written next.
func (o *Object) Member(name string) {
	if o.open {
		o.WriteString(`, "`)
	} else {
		o.WriteString(`{"`)
		o.open = true
	}
	o.WriteString(name)
	o.WriteString(`": `)
}

func (o *Object) Str(name, value string) {
	o.Member(name)
	WriteString(o.Sink, value)
}

// StrOrNull writes an empty value as null.
func (o *Object) StrOrNull(name, value string) {
	if value == "" {
		o.Value(name, "null")
		return
	}
	o.Str(name, value)
}

func (o *Object) Boolean(name string, value bool) {
	if value {
		o.Value(name, "true")
	} else {
		o.Value(name, "false")
	}
}

// Value writes a member whose value is JSON already.
func (o *Object) Value(name, json string) {
	o.Member(name)
	o.WriteString(json)
}

func (o *Object) End() {
	if !o.open {
		o.WriteByte('{')
	}
	o.WriteByte('}')
}

// WriteArray writes an array of n elements, each on a line of its own, so that
// a plan in a pipe can be read with line tools.
func WriteArray(w Sink, n int, element func(i int)) {
	w.WriteByte('[')
	for i := range n {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteByte('\n')
		element(i)
	}
	if n > 0 {
		w.WriteByte('\n')
	}
	w.WriteByte(']')
}

// WriteString writes a JSON string.
func WriteString(w Sink, text string) {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x80 {
			w.WriteString(string(jsonl.Quote(text)))
			return
		}
	}
	w.WriteByte('"')
	w.WriteString(text)
	w.WriteByte('"')
}

// OrNull returns JSON for a value, null where it is missing.
func OrNull(json string) string {
	if json == "" {
		return "null"
	}
	return json
}

// WriteList writes an array of n small elements on one line.
func WriteList(w Sink, n int, element func(i int)) {
	w.WriteByte('[')
	for i := range n {
		if i > 0 {
			w.WriteString(", ")
		}
		element(i)
	}
	w.WriteByte(']')
}

// StrIf writes a member that is not empty.
func (o *Object) StrIf(name, value string) {
	if value != "" {
		o.Str(name, value)
	}
}

// List writes an array of strings that is not empty.
func (o *Object) List(name string, values []string) {
	if len(values) > 0 {
		o.Value(name, string(jsonl.List(values)))
	}
}

// OneLine returns valid JSON on one line, with the white space that the plan file has between
// tokens. Strings stay as they are.
func OneLine(json string) string {
	var b strings.Builder
	b.Grow(len(json))
	inString := false
	for i := 0; i < len(json); i++ {
		c := json[i]
		switch {
		case inString && c == '\\':
			b.WriteByte(c)
			i++
			b.WriteByte(json[i])
		case c == '"':
			inString = !inString
			b.WriteByte(c)
		case inString:
			b.WriteByte(c)
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case c == ',' || c == ':':
			b.WriteByte(c)
			b.WriteByte(' ')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// WriteTexts writes an array of strings on one line.
func WriteTexts(w Sink, texts []string) {
	WriteList(w, len(texts), func(i int) { WriteString(w, texts[i]) })
}
