package agent

import (
	"io"
	"os"
	"strings"
)

// ReadLog calls write with what people read of a log, until r ends: the agent's text, the tools that it used, its errors.
// Numbers and other lines are left out. What comes in parts is put together, line by line.
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

// ReadLogEnd returns the end of a log as people read it, with a limit in bytes.
func ReadLogEnd(path string, format Format, limit int) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	const raw = 16 // how many bytes of a log may stand for one that people read
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
