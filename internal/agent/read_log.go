package agent

import (
	"io"
	"os"
	"strings"
)

// ReadLog calls write with those events of a log that people read, until r ends: the agent's text, the tools that it used and
// its errors. Usage is left out. Text that was printed in parts is joined into lines.
func (f Format) ReadLog(r io.Reader, write func(Event)) {
	part := ""
	readLines(r, func(line []byte) {
		for _, e := range f.Read(line) {
			if e.Part {
				part = writeLines(part+e.Text, write)
				continue
			}
			if e.Kind != UsageEvent && (e.Text != "" || f == Plain) {
				writePart(part, write)
				part = ""
				write(e)
			}
		}
	})
	writePart(part, write)
}

// writeLines calls write with the whole lines of a text and returns what follows them.
func writeLines(text string, write func(Event)) (rest string) {
	at := strings.LastIndexByte(text, '\n')
	if at < 0 {
		return text
	}
	write(Event{Kind: TextEvent, Text: text[:at]})
	return text[at+1:]
}

func writePart(text string, write func(Event)) {
	if text != "" {
		write(Event{Kind: TextEvent, Text: text})
	}
}

// ReadLogEnd returns the end of a log in readable form, at most limit bytes.
func ReadLogEnd(path string, format Format, limit int) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	const raw = 16 // bytes of a log per byte of readable text, at most
	if size, err := f.Seek(0, io.SeekEnd); err == nil {
		f.Seek(max(size-int64(raw*limit), 0), io.SeekStart) //nolint:errcheck // it was there a moment ago
	}
	var b strings.Builder
	format.ReadLog(f, func(e Event) {
		if e.Kind == ToolEvent {
			b.WriteString("> ")
		}
		b.WriteString(e.Text + "\n")
	})
	return string(lastBytes([]byte(b.String()), limit)), nil
}
