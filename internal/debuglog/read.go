package debuglog

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
)

// A Place is where an event is in the log.
type Place struct {
	File     string // its name
	From, To int64  // in bytes
}

// Read calls take for each event since a time, file by file, but for those at places that are known. It returns the names of all
// files that there are.
func (l Log) Read(since time.Time, known Places, take func(Event, Place)) ([]string, error) {
	var names []string
	for _, f := range l.files() {
		names = append(names, f.name)
		if f.time < since.UnixNano() {
			continue
		}
		if err := l.readFile(f, known[f.name], func(e Event, at Place) {
			if !e.At.Before(since) {
				take(e, at)
			}
		}); err != nil && !os.IsNotExist(err) { // it was pruned meanwhile
			return names, err
		}
	}
	return names, nil
}

// readFile reads the parts of a file that are not known.
func (l Log) readFile(f sessionFile, known []Span, take func(Event, Place)) error {
	file, err := os.Open(filepath.Join(l.Dir, f.name))
	if err != nil {
		return err
	}
	defer file.Close()
	for _, gap := range gaps(known, f.size) {
		data := make([]byte, gap.To-gap.From)
		n, err := file.ReadAt(data, gap.From)
		if err != nil && err != io.EOF { //nolint:errorlint // ReadAt returns it as it is
			return err
		}
		if l.opened != nil {
			l.opened(n)
		}
		readEvents(string(data[:n]), Place{File: f.name, From: gap.From}, take)
	}
	return nil
}

// readEvents reads whole lines. A last one without its end is still being written.
func readEvents(text string, at Place, take func(Event, Place)) {
	var parser jsonl.Parser
	for {
		end := strings.IndexByte(text, '\n')
		if end < 0 {
			return
		}
		at.To = at.From + int64(end) + 1
		if e, ok := parse(&parser, text[:end]); ok {
			take(e, at)
		}
		text, at.From = text[end+1:], at.To
	}
}
