package agent

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A transcript accumulates the events of an agent.
type transcript struct {
	Progress
	text     []byte // the end of what the agent printed as text
	open     bool   // its last line is a part that may be continued
	answered bool   // its service answered
	message  string // the last one whose usage was reported
	last     Usage
}

// maxOutput is how much of an agent's text is kept, in bytes. It must hold the report.
const maxOutput = 1 << 20

// add adds an event.
func (t *transcript) add(e Event) {
	switch e.Kind {
	case TextEvent:
		t.ServiceLimit = "" // a FailureEvent follows if the text is the error itself
		t.addPart([]byte(e.Text), e.Part)
	case ToolEvent:
		t.Tool, t.ServiceLimit, t.answered = e.Text, "", true
		t.endLine()
	case UsageEvent:
		t.addUsage(e.Usage)
	case FinalEvent:
		t.Final, t.Failed = true, e.Failed
		t.addText([]byte(e.Text))
		if e.Failed {
			t.addServiceLimit(e.Text)
		}
	case FailureEvent:
		t.addServiceLimit(e.Text)
	}
}

// addServiceLimit records an error that is a limit. A message that is more precise about its end is not replaced by the next
// one.
func (t *transcript) addServiceLimit(words string) {
	if IsServiceLimit(words) && precision(words) >= precision(t.ServiceLimit) {
		t.ServiceLimit = words
	}
}

func (t *transcript) addUsage(now Usage) {
	t.answered = t.answered || now.Tokens > 0
	if now.Context > 0 {
		t.Context = now.Context
	}
	if now.Total {
		t.Tokens, t.Cost = max(now.Tokens, t.Tokens), max(now.Cost, t.Cost)
		return
	}
	if now.Message != "" && now.Message == t.message {
		t.Tokens -= t.last.Tokens
		t.Cost -= t.last.Cost
	}
	t.Tokens += now.Tokens
	t.Cost += now.Cost
	t.message, t.last = now.Message, now
}

// addText adds a text by itself.
func (t *transcript) addText(text []byte) { t.addPart(text, false) }

// addPart adds a text that may be a part of one: agents that stream their text split it anywhere, even within the marks of a
// report.
func (t *transcript) addPart(text []byte, part bool) {
	if len(text) == 0 {
		return
	}
	if !part {
		t.endLine()
	}
	if len(t.text)+len(text) > 2*maxOutput { // seldom, so that it costs little
		t.text = append(t.text[:0], lastBytes(t.text, maxOutput)...)
	}
	t.text = append(t.text, text...)
	if t.open = part; !part {
		t.text = append(t.text, '\n')
	}
}

// endLine ends a text that came in parts.
func (t *transcript) endLine() {
	if t.open {
		t.text = append(t.text, '\n')
	}
	t.open = false
}

// lastBytes returns the end of a text, from the beginning of a character.
func lastBytes(text []byte, n int) []byte {
	if len(text) <= n {
		return text
	}
	text = text[len(text)-n:]
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

// maxLastLine is how much of a line is shown of an agent that prints plain text, in bytes.
const maxLastLine = 500

// lastLine returns the last line of a text that is not blank.
func lastLine(words []byte) string {
	words = bytes.TrimSpace(words[max(len(words)-maxLastLine, 0):])
	return strings.ToValidUTF8(string(bytes.TrimSpace(words[bytes.LastIndexByte(words, '\n')+1:])), "")
}
