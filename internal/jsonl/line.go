package jsonl

import (
	"iter"
	"strings"
)

// A Line is one line of a file.
type Line struct {
	Text   string // without its ending
	Ending string // "\n", "\r\n", or "" on a last line that has none
	Number int    // from 1
}

// Lines yields the lines of data. There is no limit on their length. Data that
// ends with a line feed has no empty line after it.
func Lines(data string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for number := 1; data != ""; number++ {
			line := Line{Text: data, Number: number}
			if end := strings.IndexByte(data, '\n'); end >= 0 {
				line.Text, line.Ending = data[:end], "\n"
			}
			data = data[len(line.Text)+len(line.Ending):]
			if text, found := strings.CutSuffix(line.Text, "\r"); found && line.Ending != "" {
				line.Text, line.Ending = text, "\r\n"
			}
			if !yield(line) {
				return
			}
		}
	}
}
