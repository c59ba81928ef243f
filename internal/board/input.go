package board

import (
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// An input is a text with a cursor in it, which moves by what people see as characters.
type input struct{ before, after string }

func (in *input) String() string { return in.before + in.after }

func (in *input) insert(text string) { in.before += text }

// pressed edits the text, and reports whether the key does that.
func (in *input) pressed(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "left", "ctrl+b":
		in.left(lastCharacter(in.before))
	case "right":
		in.right(firstCharacter(in.after))
	case "alt+b", "ctrl+left", "alt+left":
		in.left(lastWord(in.before))
	case "alt+f", "ctrl+right", "alt+right":
		in.right(firstWord(in.after))
	case "home", "ctrl+a":
		in.left(len(in.before) - (strings.LastIndex(in.before, "\n") + 1))
	case "end", "ctrl+e":
		n := strings.IndexByte(in.after, '\n')
		if n < 0 {
			n = len(in.after)
		}
		in.right(n)
	case "backspace", "ctrl+h":
		in.before = in.before[:len(in.before)-lastCharacter(in.before)]
	case "delete", "ctrl+d":
		in.after = in.after[firstCharacter(in.after):]
	case "ctrl+w", "alt+backspace":
		in.before = in.before[:len(in.before)-lastWord(in.before)]
	case "ctrl+u":
		in.before = in.before[:strings.LastIndex(in.before, "\n")+1]
	case "ctrl+k":
		n := strings.IndexByte(in.after, '\n')
		if n < 0 {
			n = len(in.after)
		}
		in.after = in.after[n:]
	default:
		if k.Text == "" {
			return false
		}
		in.insert(k.Text)
	}
	return true
}

func (in *input) left(n int) {
	at := len(in.before) - n
	in.before, in.after = in.before[:at], in.before[at:]+in.after
}

func (in *input) right(n int) { in.before, in.after = in.before+in.after[:n], in.after[n:] }

func firstCharacter(text string) int {
	if text == "" {
		return 0
	}
	cluster, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
	return len(cluster)
}

// lastCharacter returns the length of the last character. Its beginning is found from the line's, as it cannot be found from its end.
func lastCharacter(text string) (n int) {
	line := text[strings.LastIndex(text, "\n")+1:]
	if line == "" {
		return min(len(text), 1) // a line break
	}
	for line != "" {
		n = firstCharacter(line)
		line = line[n:]
	}
	return n
}

// lastWord returns the length of the last word with the blanks after it.
func lastWord(text string) int {
	word := strings.TrimRightFunc(text, unicode.IsSpace)
	start := strings.LastIndexFunc(word, unicode.IsSpace)
	if start >= 0 {
		_, size := utf8.DecodeRuneInString(word[start:])
		start += size
	}
	return len(text) - max(start, 0)
}

// firstWord returns the length of the first word with the blanks before it.
func firstWord(text string) int {
	word := strings.TrimLeftFunc(text, unicode.IsSpace)
	end := strings.IndexFunc(word, unicode.IsSpace)
	if end < 0 {
		return len(text)
	}
	return len(text) - len(word) + end
}
