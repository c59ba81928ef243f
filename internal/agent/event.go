package agent

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A Kind says what an Event tells.
type Kind int

// The kinds of events.
const (
	Text    Kind = iota // the agent says something
	Tool                // it uses a tool
	Usage               // tokens and cost
	Final               // its work is over
	Failure             // it met an error, which may be one that passes
)

// An Event is one thing that an agent's output tells.
type Event struct {
	Kind   Kind
	Text   string // what it says; the tool's name and what it is used on; the result; the error
	Usage  Spent
	Failed bool // of Final: without success
	Part   bool // of Text: the next one goes on where it ends, within a word or not
}

// Spent is what was used, as an agent tells it.
type Spent struct {
	Message string  // what it was used for; a later number for the same message replaces the earlier one
	Tokens  int     // sent and received, without what came from a cache
	Context int     // tokens in the context after it; 0 where that is not told
	Cost    float64 // in US dollars
	Total   bool    // the numbers are those of the whole run
}

// A Reading is what is known of an agent's run so far.
type Reading struct {
	Tokens  int
	Context int
	Cost    float64
	Tool    string // in use, or used last
	Final   bool   // its last event was seen
	Failed  bool   // by its own account
	Limit   string // words of a rate limit or overload, "" where there was none since it last got on
}

// A story is a reading in the making.
type story struct {
	Reading
	words   []byte // the end of what was said
	open    bool   // the last of it was a part of something
	worked  bool   // its service answered
	message string // the one that last was spent for
	last    Spent
}

// maxWords is how much of what an agent says is kept, in bytes. The block that it ends with must fit in.
const maxWords = 1 << 20

// take adds what an event tells.
func (s *story) take(e Event) {
	switch e.Kind {
	case Text:
		s.Limit = "" // where it is the error itself, a Failure follows
		s.sayPart([]byte(e.Text), e.Part)
	case Tool:
		s.Tool, s.Limit, s.worked = e.Text, "", true
		s.endPart()
	case Usage:
		s.spend(e.Usage)
	case Final:
		s.Final, s.Failed = true, e.Failed
		s.say([]byte(e.Text))
		if e.Failed {
			s.meetLimit(e.Text)
		}
	case Failure:
		s.meetLimit(e.Text)
	}
}

// meetLimit notes an error that is a limit. One that says better when it ends is not forgotten for the next one.
func (s *story) meetLimit(words string) {
	if isLimit(words) && exactness(words) >= exactness(s.Limit) {
		s.Limit = words
	}
}

func (s *story) spend(now Spent) {
	s.worked = s.worked || now.Tokens > 0
	if now.Context > 0 {
		s.Context = now.Context
	}
	if now.Total {
		s.Tokens, s.Cost = max(now.Tokens, s.Tokens), max(now.Cost, s.Cost)
		return
	}
	if now.Message != "" && now.Message == s.message {
		s.Tokens -= s.last.Tokens
		s.Cost -= s.last.Cost
	}
	s.Tokens += now.Tokens
	s.Cost += now.Cost
	s.message, s.last = now.Message, now
}

// say keeps the end of what was said: a text by itself.
func (s *story) say(text []byte) { s.sayPart(text, false) }

// sayPart is say for a text that may be a part of one: agents that print as they think break it anywhere, within the marks
// of a report too.
func (s *story) sayPart(text []byte, part bool) {
	if len(text) == 0 {
		return
	}
	if !part {
		s.endPart()
	}
	if len(s.words)+len(text) > 2*maxWords { // seldom, so that it costs little
		s.words = append(s.words[:0], lastBytes(s.words, maxWords)...)
	}
	s.words = append(s.words, text...)
	if s.open = part; !part {
		s.words = append(s.words, '\n')
	}
}

// endPart says that what was said so far is whole.
func (s *story) endPart() {
	if s.open {
		s.words = append(s.words, '\n')
	}
	s.open = false
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

// maxSaid is how much of a line is shown of an agent that prints plain text, in bytes.
const maxSaid = 500

// lastSaid returns the last line of what was said that is not blank.
func lastSaid(words []byte) string {
	words = bytes.TrimSpace(words[max(len(words)-maxSaid, 0):])
	return strings.ToValidUTF8(string(bytes.TrimSpace(words[bytes.LastIndexByte(words, '\n')+1:])), "")
}
