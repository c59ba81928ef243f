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
			text, ending := data, ""
			if end := strings.IndexByte(data, '\n'); end >= 0 {
				text, ending = data[:end], data[end:end+1]
			}
			data = data[len(text)+len(ending):]
			if before, found := strings.CutSuffix(text, "\r"); found {
				text, ending = before, "\r"+ending
			}
			if !yield(Line{Text: text, Ending: ending, Number: number}) {
				return
			}
		}
	}
}
