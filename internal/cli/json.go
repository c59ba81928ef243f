package cli

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/plan"
)

// A sink takes the pieces of a JSON text. Records are written as the plan holds
// them, byte for byte: nothing is decoded to be printed.
type sink interface {
	io.StringWriter
	io.ByteWriter
}

// writeJSON prints one JSON value and a line feed: as it is written for
// programs, indented and without steering characters on a terminal.
func (e *Env) writeJSON(write func(sink)) {
	if out, ok := e.Out.(sink); ok && !e.Terminal {
		write(out)
		out.WriteByte('\n')
		return
	}
	var b bytes.Buffer
	write(&b)
	if e.Terminal {
		e.Out.Write(indent(b.String()))
		return
	}
	b.WriteByte('\n')
	e.Out.Write(b.Bytes())
}

// An object writes the members of a JSON object one by one.
type object struct {
	sink
	open bool // a member was written
}

// member begins a member; its value is written next.
func (o *object) member(name string) {
	switch {
	case !o.open:
		o.WriteByte('{')
		o.open = true
	default:
		o.WriteString(", ")
	}
	o.WriteByte('"')
	o.WriteString(name)
	o.WriteString(`": `)
}

func (o *object) str(name, value string) {
	o.member(name)
	writeString(o.sink, value)
}

// strOrNull writes an empty value as null.
func (o *object) strOrNull(name, value string) {
	if value == "" {
		o.value(name, "null")
		return
	}
	o.str(name, value)
}

func (o *object) boolean(name string, value bool) {
	if value {
		o.value(name, "true")
	} else {
		o.value(name, "false")
	}
}

// value writes a member whose value is JSON already.
func (o *object) value(name, json string) {
	o.member(name)
	o.WriteString(json)
}

func (o *object) end() {
	if !o.open {
		o.WriteByte('{')
	}
	o.WriteByte('}')
}

// writeArray writes an array of n elements, each on a line of its own, so that
// a plan in a pipe can be read with line tools.
func writeArray(w sink, n int, element func(i int)) {
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

// recordText is a record, or a pointer to one.
type recordText interface{ JSON() string }

// writeRecords writes records as the plan holds them.
func writeRecords[R recordText](w sink, records []R) {
	writeArray(w, len(records), func(i int) { w.WriteString(strings.TrimSpace(records[i].JSON())) })
}

// writeTask writes a task with what is known of it beside its own fields:
// "blocked_by", and the "name" that an old task has in "desc". What stands
// there under these names gives way.
func writeTask(w sink, r *plan.Record, blockedBy []string) {
	text := strings.TrimSpace(r.JSON())
	unnamed := r.Text("name") == "" && r.Name() != ""
	_, waits := r.Get("blocked_by")
	if _, named := r.Get("name"); waits || named && unnamed {
		text = withoutDerived(r.Object(), unnamed).Text()
	}
	w.WriteString(text[:len(text)-1])
	if unnamed {
		w.WriteString(`, "name": `)
		writeString(w, r.Name())
	}
	w.WriteString(`, "blocked_by": [`)
	for i, id := range blockedBy {
		if i > 0 {
			w.WriteString(", ")
		}
		writeString(w, id)
	}
	w.WriteString("]}")
}

// writeString writes a JSON string.
func writeString(w sink, text string) {
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

// withoutDerived returns a task without "blocked_by", and without "name" where it
// is unnamed.
func withoutDerived(o jsonl.Object, unnamed bool) jsonl.Object {
	return jsonl.Build(slices.DeleteFunc(o.Members(), func(m jsonl.Member) bool {
		return m.Name == "blocked_by" || m.Name == "name" && unnamed
	}))
}
