package textmerge

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/words"
)

// The surrogates are the only runes below the greatest that no string can
// hold; letters leave them out.
const (
	firstSurrogate = 0xd800
	surrogates     = 0x800
)

// An alphabet gives each distinct word a letter, since texts are compared by
// letters. The zero alphabet is ready.
type alphabet struct {
	words  []string // in the order of their letters
	letter map[string]rune
}

// spell returns a text with a letter for each word. The words of Unicode divide
// some characters, as in Thai; those are put together again.
func (a *alphabet) spell(text string) []rune {
	if a.letter == nil {
		a.letter = map[string]rune{}
	}
	var letters []rune
	begin, whole := 0, graphemes.FromString(text)
	for word := words.FromString(text); word.Next(); {
		for whole.End() < word.End() {
			whole.Next()
		}
		if whole.End() == word.End() {
			letters = append(letters, a.of(text[begin:word.End()]))
			begin = word.End()
		}
	}
	return letters
}

func (a *alphabet) of(word string) rune {
	letter, known := a.letter[word]
	if !known {
		letter = rune(len(a.words))
		if letter >= firstSurrogate {
			letter += surrogates
		}
		a.letter[word] = letter
		a.words = append(a.words, word)
	}
	return letter
}

// word is what a letter stands for.
func (a *alphabet) word(letter rune) string {
	if letter >= firstSurrogate {
		letter -= surrogates
	}
	return a.words[letter]
}

// text is what letters stand for.
func (a *alphabet) text(letters []rune) string {
	var b strings.Builder
	for _, letter := range letters {
		b.WriteString(a.word(letter))
	}
	return b.String()
}

// blank tells whether a letter stands for white space.
func (a *alphabet) blank(letter rune) bool {
	return strings.TrimSpace(a.word(letter)) == ""
}
