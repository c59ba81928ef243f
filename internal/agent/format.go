package agent

import (
	"bytes"
	"strconv"
	"strings"

	"git-ralph/internal/jsonl"
)

// A Format is how an agent's output is to be read.
type Format string

// The formats. All but Plain are JSON, one object a line.
const (
	Plain    Format = "plain"
	Claude   Format = "claude"
	Codex    Format = "codex"
	Gemini   Format = "gemini"
	OpenCode Format = "opencode"
)

func formats() []Format { return []Format{Plain, Claude, Codex, Gemini, OpenCode} }

// Read returns the events of a line of output, without its line feed. In a format of objects a line that is none is text:
// agents print warnings between them.
func (f Format) Read(line []byte) []Event {
	if begin := f.quiet(); begin != "" && len(line) > len(begin) && string(line[:len(begin)]) == begin {
		return nil
	}
	if f != Plain && len(line) > 0 && line[0] == '{' {
		if object, err := jsonl.ParseObject(string(line)); err == nil {
			return f.readObject(node{jsonl.Value(object.Text()), object})
		}
	}
	if len(bytes.TrimSpace(line)) == 0 && f != Plain {
		return nil
	}
	return []Event{{Kind: Text, Text: strings.ToValidUTF8(string(line), "\ufffd")}}
}

// quiet is how lines begin that hold no event and may be long: what a tool returned. Nearly all that an agent
// prints may be of that kind, so they are not taken apart.
func (f Format) quiet() string {
	switch f {
	case Claude:
		return `{"type":"user",`
	case Gemini:
		return `{"type":"tool_result",`
	}
	return ""
}

func (f Format) readObject(o node) []Event {
	switch f {
	case Claude:
		return readClaude(o)
	case Codex:
		return readCodex(o)
	case Gemini:
		return readGemini(o)
	case OpenCode:
		return readOpenCode(o)
	}
	return nil
}

// A node is a place in a JSON text. What is not there is null: agents change what they print from release to release, and
// a missing number must not stop a run.
type node struct {
	jsonl.Value
	object jsonl.Object // the same, where it is open
}

// open parses an object once for all of its members: a line may be long.
func (n node) open() node {
	if n.object.Text() == "" {
		n.object = n.Object()
	}
	return n
}

// at follows the names of members.
func (n node) at(names ...string) node {
	for _, name := range names {
		value, found := n.open().object.Get(name)
		if !found {
			return node{Value: "null"}
		}
		n = node{Value: value}
	}
	return n
}

func (n node) text(names ...string) string {
	text, _ := n.at(names...).Str()
	return text
}

// maxNumber is above all that a run can use, and far from where sums overflow.
const maxNumber = 1e12

// number returns what was used of something. What cannot be is 0: it must not become part of a sum, nor of an event, which
// JSON has no infinity for.
func (n node) number(names ...string) float64 {
	number, _ := strconv.ParseFloat(string(n.at(names...).Value), 64)
	if !(number >= 0 && number <= maxNumber) { // NaN is neither
		return 0
	}
	return number
}

func (n node) count(names ...string) int { return int(n.number(names...)) }

func (n node) isTrue(names ...string) bool { return n.at(names...).Value == "true" }

// elements are those of an array, open.
func (n node) elements() []node {
	var list []node
	if n.Kind() == jsonl.Array {
		for v := range n.All() {
			list = append(list, node{Value: v}.open())
		}
	}
	return list
}

// toolEvent names a tool and the one thing that it is used on.
func toolEvent(name string, input node) Event {
	for _, key := range [...]string{"command", "file_path", "filePath", "path", "pattern", "query", "url", "description"} {
		if what := input.text(key); what != "" {
			return Event{Kind: Tool, Text: name + " " + firstLine(what)}
		}
	}
	return Event{Kind: Tool, Text: name}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
