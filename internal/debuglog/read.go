package debuglog

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
)

// Read calls take for each event since a time, file by file, but for those in parts that were read before, to which it adds what it
// reads; read may be nil. It returns the names of all files that there are.
func (l Log) Read(since time.Time, read Places, take func(Event)) ([]string, error) {
	var names []string
	for _, f := range l.files() {
		names = append(names, f.name)
		if f.time < since.UnixNano() {
			continue
		}
		if err := l.readFile(f, read[f.name], func(e Event, ok bool, at Span) {
			if ok && e.At.Before(since) {
				return
			}
			if read != nil {
				read.add(f.name, at)
			}
			if ok {
				take(e)
			}
		}); err != nil && !os.IsNotExist(err) { // it was pruned meanwhile
			return names, err
		}
	}
	return names, nil
}

// readFile reads the parts of a file that are not known.
func (l Log) readFile(f sessionFile, known []Span, take func(Event, bool, Span)) error {
	file, err := os.Open(filepath.Join(l.Dir, f.name))
	if err != nil {
		return err
	}
	defer file.Close()
	for _, gap := range gaps(slices.Clone(known), f.size) {
		data := make([]byte, gap.To-gap.From)
		n, err := file.ReadAt(data, gap.From)
		if err != nil && err != io.EOF { //nolint:errorlint // ReadAt returns it as it is
			return err
		}
		if l.opened != nil {
			l.opened(n)
		}
		readEvents(string(data[:n]), gap.From, take)
	}
	return nil
}

// readEvents reads whole lines; ok is false for one that is no event. A last one without its end is still being written.
func readEvents(text string, from int64, take func(e Event, ok bool, at Span)) {
	var parser jsonl.Parser
	for {
		end := strings.IndexByte(text, '\n')
		if end < 0 {
			return
		}
		at := Span{from, from + int64(end) + 1}
		e, ok := parse(&parser, text[:end])
		take(e, ok, at)
		text, from = text[end+1:], at.To
	}
}
