package agent

import (
	"bytes"
	"strings"

	"git-ralph/internal/jsonl"
)

// A Format is the format of an agent's output.
type Format string

// The formats. All but Plain are JSON, one object per line.
const (
	Plain    Format = "plain"
	Claude   Format = "claude"
	Codex    Format = "codex"
	Gemini   Format = "gemini"
	OpenCode Format = "opencode"
)

func formats() []Format { return []Format{Plain, Claude, Codex, Gemini, OpenCode} }

// Read returns the events of a line of output, given without its line feed. In a JSON format, a line that is not an object is
// text: agents print warnings between the objects.
func (f Format) Read(line []byte) []Event {
	if begin := f.toolResultPrefix(); begin != "" && len(line) > len(begin) && string(line[:len(begin)]) == begin {
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
	return []Event{{Kind: TextEvent, Text: strings.ToValidUTF8(string(line), "\ufffd")}}
}

// toolResultPrefix returns the prefix of lines with the result of a tool, which have no event, "" for none. Most of an
// agent's output may be such lines, so they are skipped without parsing.
func (f Format) toolResultPrefix() string {
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

// toolEvent returns the event of a tool, with what it is used on.
func toolEvent(name string, input node) Event {
	for _, key := range [...]string{"command", "file_path", "filePath", "path", "pattern", "query", "url", "description"} {
		if what := input.text(key); what != "" {
			return Event{Kind: ToolEvent, Text: name + " " + firstLine(what)}
		}
	}
	return Event{Kind: ToolEvent, Text: name}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// ReportsContext reports whether an agent's output says how full its context
// is.
func (f Format) ReportsContext() bool { return f == Claude || f == OpenCode }

// ReportsCost reports whether an agent's output says what it costs.
func (f Format) ReportsCost() bool { return f == Claude || f == OpenCode }
