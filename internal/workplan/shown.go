package workplan

import (
	"strconv"
	"strings"
	"unicode"
)

// maxShown is how much of a word is shown, in characters: a file may say anything.
const maxShown = 200

// Shown returns an id or the like as a text for people and agents names it: on one line, since a line break could forge a line of that
// text, and not without end.
func Shown(word string) string { return OneLine(shortened(word)) }

// Quoted is Shown within quotes.
func Quoted(text string) string { return strconv.Quote(shortened(text)) }

// OneLine is Shown for a path, which is shown as a whole.
func OneLine(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) {
		return strconv.Quote(path)
	}
	return path
}

func shortened(text string) string {
	if len(text) <= maxShown {
		return text
	}
	n := 0
	for i := range text {
		if n++; n > maxShown {
			return text[:i] + "…"
		}
	}
	return text
}
