package githook

import (
	"slices"
	"strings"

	"git-ralph/internal/git"
)

// scissors is how `git commit -v` marks what is not part of the message.
const scissors = "------------------------ >8 ------------------------"

// closing is what a commit message closes: ids or prefixes of ids of tasks and
// issues, each once, in the order of the message.
type closing struct{ tasks, issues []string }

func (c closing) empty() bool { return len(c.tasks)+len(c.issues) == 0 }

// closingOf reads a message: the lines
//
//	Ralph-Done: t-1a2b, t-3c4d
//	Ralph-Issue: i-1a2b
//
// wherever they stand and however they are capitalised, with the lines that
// continue them. With words it also reads "closes t-1a2b" in the text, and in a
// trailer of that name.
func closingOf(message string, words bool) closing {
	var c closing
	var into *[]string // what the current trailer names
	for line := range strings.Lines(message) {
		line = strings.TrimRight(line, "\r\n")
		if strings.Contains(line, scissors) {
			break
		}
		value := line
		if token, rest, found := strings.Cut(line, ":"); found && !git.ContinuesTrailer(line) {
			into, value = c.named(token), rest
		} else if !git.ContinuesTrailer(line) {
			into = nil
		}
		if into != nil {
			add(into, value)
		} else if words {
			c.addWords(line)
		}
	}
	return c
}

// named returns the list that a trailer adds to, nil for a trailer that closes nothing.
func (c *closing) named(token string) *[]string {
	switch strings.ToLower(strings.TrimRight(token, " ")) {
	case "ralph-done":
		return &c.tasks
	case "ralph-issue":
		return &c.issues
	}
	return nil
}

// add reads ids that stand between commas or blanks.
func add(ids *[]string, text string) {
	for _, id := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
		if !slices.Contains(*ids, id) {
			*ids = append(*ids, id)
		}
	}
}

// addWords reads "closes t-1a2b" in a line of text, with the list of ids that may follow: "Closes: t-1a2b, t-3c4d and i-5e6f".
func (c *closing) addWords(line string) {
	listing := false
	for _, word := range strings.Fields(strings.ReplaceAll(line, ",", " , ")) {
		id := strings.TrimRight(word, ".;:!?)")
		switch {
		case strings.EqualFold(strings.TrimLeft(strings.TrimSuffix(word, ":"), "("), "closes"):
			listing = true
		case listing && (word == "," || word == "and"):
		case listing && strings.HasPrefix(id, "t-"):
			add(&c.tasks, id)
			listing = id == word
		case listing && strings.HasPrefix(id, "i-"):
			add(&c.issues, id)
			listing = id == word
		default:
			listing = false
		}
	}
}
