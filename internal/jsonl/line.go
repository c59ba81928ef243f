package jsonl

import (
	"iter"
	"strings"
)

// A Line is one line of a file.
type Line struct {
	Text   string // without its ending
	Ending string // "\n" or "\r\n"; on a last line also "" or "\r"
	Number int    // from 1
}

// Lines yields the lines of data. There is no limit on their length. Data that
// ends with a line feed has no empty line after it.
func Lines(data string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for number := 1; data != ""; number++ {
			line := FirstLine(data)
			line.Number = number
			data = data[len(line.Text)+len(line.Ending):]
			if !yield(line) {
				return
			}
		}
	}
}

// FirstLine returns the first line of data.
func FirstLine(data string) Line {
	end := strings.IndexByte(data, '\n')
	if end < 0 {
		end = len(data)
	}
	if end > 0 && data[end-1] == '\r' {
		return Line{Text: data[:end-1], Ending: data[end-1 : min(end+1, len(data))], Number: 1}
	}
	return Line{Text: data[:end], Ending: data[end:min(end+1, len(data))], Number: 1}
}
