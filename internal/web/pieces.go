package web

import (
	"bufio"
	"encoding/json"
	"net/http"
)

// A long value writes its JSON in pieces: as a whole, that of ten thousand tasks takes more memory than the plan.
type long interface{ write(p *pieces) }

// pieces writes JSON to a browser. Errors are left out: it has gone then.
type pieces struct {
	*bufio.Writer
	values *json.Encoder
}

func newPieces(w http.ResponseWriter) *pieces {
	buffered := bufio.NewWriterSize(w, 32<<10)
	return &pieces{buffered, json.NewEncoder(buffered)}
}

// text writes a part of a JSON text as it is.
func (p *pieces) text(text string) { p.WriteString(text) } //nolint:errcheck // the browser has gone

// value writes a value.
func (p *pieces) value(v any) {
	if l, is := v.(long); is {
		l.write(p)
		return
	}
	p.values.Encode(v) //nolint:errcheck // the browser has gone
}

// An object is a JSON object.
type object []member

type member struct {
	name  string // a plain word
	value any
}

func (o object) write(p *pieces) {
	before := "{"
	for _, m := range o {
		p.text(before + `"` + m.name + `":`)
		p.value(m.value)
		before = ","
	}
	p.text("}")
}

// An array is a JSON array of n values, each of which is made when it is written.
type array[T any] struct {
	n  int
	at func(i int) T
}

func (a array[T]) write(p *pieces) {
	p.text("[")
	for i := range a.n {
		if i > 0 {
			p.text(",")
		}
		p.value(a.at(i))
	}
	p.text("]")
}
