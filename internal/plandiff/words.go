package plandiff

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/sergi/go-diff/diffmatchpatch"
)

// An Op says what became of a piece of prose.
type Op string

// The operations, named as the JSON of `git ralph diff` names them.
const (
	Keep   Op = "keep"
	Delete Op = "delete"
	Insert Op = "insert"
)

// A Span is a piece of prose. The kept and deleted spans, joined, are the old
// text; the kept and inserted ones the new.
type Span struct {
	Op   Op
	Text string
}

// mostWords is how many words a text may have to be compared by words. The
// time that takes grows with the product of both; a longer text is replaced
// as a whole.
const mostWords = 2000

// Words compares two texts by words, as Unicode divides them (UAX 29): no
// character is ever split, and scripts without spaces are compared character
// by character.
func Words(before, after string) []Span {
	var a alphabet
	old, ok := a.letters(before)
	if !ok {
		return replaced(before, after)
	}
	now, ok := a.letters(after)
	if !ok {
		return replaced(before, after)
	}
	engine := diffmatchpatch.New()
	engine.DiffTimeout = 0 // the answer must not depend on the machine
	var spans []Span
	for _, d := range engine.DiffMainRunes(old, now, false) {
		if text := a.text(d.Text); text != "" {
			spans = append(spans, Span{Op: op(d.Type), Text: text})
		}
	}
	return joinAcrossSpace(spans)
}

func op(o diffmatchpatch.Operation) Op {
	switch o {
	case diffmatchpatch.DiffDelete:
		return Delete
	case diffmatchpatch.DiffInsert:
		return Insert
	}
	return Keep
}

func replaced(before, after string) []Span {
	if before == after {
		return []Span{{Keep, before}}
	}
	return appendChange(nil, before, after)
}

// An alphabet gives each distinct word a letter, since the comparison works on
// letters. The zero alphabet is ready.
type alphabet struct {
	words  []string // by letter
	letter map[string]rune
}

// letters returns a text with a letter for each word, and whether it has few
// enough of them. With mostWords in each of two texts every letter stays below
// the surrogates, which no string can hold.
func (a *alphabet) letters(text string) ([]rune, bool) {
	if a.letter == nil {
		a.letter = map[string]rune{}
	}
	var letters []rune
	for it := words.FromString(text); it.Next(); {
		if len(letters) == mostWords {
			return nil, false
		}
		letters = append(letters, a.of(it.Value()))
	}
	return letters, true
}

func (a *alphabet) of(word string) rune {
	letter, known := a.letter[word]
	if !known {
		letter = rune(len(a.words))
		a.letter[word] = letter
		a.words = append(a.words, word)
	}
	return letter
}

// text is what letters stand for.
func (a *alphabet) text(letters string) string {
	var b strings.Builder
	for _, letter := range letters {
		b.WriteString(a.words[letter])
	}
	return b.String()
}

// joinAcrossSpace makes one change of two that only white space stands
// between: people read a phrase, not the spaces in it that happen to agree.
func joinAcrossSpace(spans []Span) []Span {
	var joined []Span
	for i := 0; i < len(spans); {
		if spans[i].Op == Keep {
			joined = append(joined, spans[i])
			i++
			continue
		}
		var old, now string
		for i < len(spans) && (spans[i].Op != Keep || bridges(spans, i)) {
			if spans[i].Op != Insert {
				old += spans[i].Text
			}
			if spans[i].Op != Delete {
				now += spans[i].Text
			}
			i++
		}
		joined = appendChange(joined, old, now)
	}
	return joined
}

// bridges tells whether a kept span is only white space between two changes
// that both replace something.
func bridges(spans []Span, i int) bool {
	return i >= 2 && i+2 < len(spans) && strings.TrimSpace(spans[i].Text) == "" &&
		spans[i-1].Op == Insert && spans[i-2].Op == Delete &&
		spans[i+1].Op == Delete && spans[i+2].Op == Insert
}

func appendChange(spans []Span, old, now string) []Span {
	if old != "" {
		spans = append(spans, Span{Delete, old})
	}
	if now != "" {
		spans = append(spans, Span{Insert, now})
	}
	return spans
}
