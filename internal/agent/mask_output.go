package agent

import (
	"bytes"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/mask"
)

// An outputMasker masks the output of an agent where it enters the program, so that no secret or control character reaches the
// log or the events.
//
// Some agents print text in parts, which may split a secret. The parts of a line are therefore joined before they are logged.
type outputMasker struct {
	format Format
	masker *mask.Masker
	lines  *mask.Stream
	parts  *mask.Stream
	part   []byte // of a text in parts: the line that is not complete yet
}

// maxPart is the maximum length of an incomplete line, in bytes.
const maxPart = 64 << 10

func newOutputMasker(format Format, masker *mask.Masker) *outputMasker {
	return &outputMasker{format: format, masker: masker, lines: masker.Stream(), parts: masker.Stream()}
}

// take returns the events of a line, and calls log with the lines that may be recorded. In plain text these are the text.
func (in *outputMasker) take(line []byte, log func(line []byte)) []Event {
	if in.format.repeats(line) {
		return nil
	}
	if in.format.printsParts(line) { // a secret may be split between lines
		if events := in.format.Read(line); len(events) == 1 && events[0].Part {
			return in.takePart(events[0].Text, log)
		}
	}
	line = in.lines.Line(line)
	if in.format == Plain {
		log(line)
		return nil
	}
	events := in.format.Read(line)
	before := in.end(log)
	log(line)
	for i := range events {
		events[i].Text = in.masker.Text(events[i].Text)
	}
	return append(before, events...)
}

// takePart keeps a part until its line ends.
func (in *outputMasker) takePart(text string, log func(line []byte)) []Event {
	in.part = append(in.part, text...)
	end := bytes.LastIndexByte(in.part, '\n') + 1
	if end == 0 && len(in.part) > maxPart {
		end = len(in.part)
	}
	return in.release(end, log)
}

// end returns the event of the last part, when no other follows.
func (in *outputMasker) end(log func(line []byte)) []Event { return in.release(len(in.part), log) }

// release returns the event of the first bytes of the part, masked.
func (in *outputMasker) release(end int, log func(line []byte)) []Event {
	if end == 0 {
		return nil
	}
	text := in.parts.Text(string(in.part[:end]))
	in.part = append(in.part[:0], in.part[end:]...)
	log([]byte(in.format.part(text)))
	return []Event{{Kind: TextEvent, Text: text, Part: true}}
}

// repeats reports whether a line only contains a piece of a text that follows as a whole. It is not recorded.
func (f Format) repeats(line []byte) bool {
	return f == Claude && bytes.HasPrefix(line, []byte(`{"type":"stream_event",`))
}

// printsParts reports whether a line may contain a part of a text.
func (f Format) printsParts(line []byte) bool {
	return f == Gemini && bytes.HasPrefix(line, []byte(`{"type":"message",`))
}

// part returns a line with a part of a text.
func (f Format) part(text string) string {
	return jsonl.Build([]jsonl.Member{
		{Name: "type", Value: `"message"`}, {Name: "role", Value: `"assistant"`}, {Name: "content", Value: jsonl.Quote(text)}, {Name: "delta", Value: "true"},
	}).Text()
}
