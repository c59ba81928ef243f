package textmerge

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/words"
)

// The surrogates are the only runes below the greatest that no string can
// hold; letters leave them out.
const (
	firstSurrogate = 0xd800
	surrogates     = 0x800
)

// A text is the words of a text, in order, and a letter for each, since texts
// are compared by letters.
type text struct {
	letters []rune
	words   []string
}

func (t text) String() string { return join(t.words) }

// An alphabet gives each distinct word a letter. With flow, a line break within
// a paragraph has the letter of a space. The zero alphabet is ready.
type alphabet struct {
	flow   bool
	words  []string // in the order of their letters
	kinds  []kind
	letter map[string]rune
}

// A kind says what a word is to a comparison.
type kind uint8

const (
	word  kind = iota
	mark       // a sign: a word without letters and digits
	blank      // white space on one line, or a line break within a paragraph
	block      // white space that ends a paragraph or a list item
)

// spell divides a text into words.
func (a *alphabet) spell(s string) text {
	if a.letter == nil {
		a.letter = map[string]rune{}
	}
	all := divide(s)
	t := text{letters: make([]rune, len(all)), words: make([]string, len(all))}
	var l lines
	for i, p := range all {
		w, k := s[p.from:p.to], p.kind
		t.words[i] = w
		if k == blank && l.ends(w, s[p.to:]) {
			k = block
		}
		l.read(w, k)
		if a.flow && k == blank && strings.ContainsRune(w, '\n') {
			w = " "
		}
		t.letters[i] = a.letterOf(w, k)
	}
	return t
}

// A part is a word of a text, by the bytes that it stands at.
type part struct {
	from, to int
	kind     kind
}

// divide returns the words of a text: those of Unicode, of which some divide a
// character, as in Thai, and are put together again; a hyphenated word is one,
// and so is a run of white space.
func divide(s string) []part {
	var all []part
	begin, whole := 0, graphemes.FromString(s)
	for next := words.FromString(s); next.Next(); {
		for whole.End() < next.End() {
			whole.Next()
		}
		if whole.End() != next.End() {
			continue
		}
		p := part{begin, next.End(), kindOf(s[begin:next.End()])}
		begin = p.to
		if n := len(all); n > 0 && p.kind == blank && all[n-1].kind == blank {
			all[n-1].to = p.to
		} else if n > 1 && p.kind == word && all[n-2].kind == word && isHyphen(s[all[n-1].from:all[n-1].to]) {
			all[n-2].to, all = p.to, all[:n-1]
		} else {
			all = append(all, p)
		}
	}
	return all
}

func isHyphen(w string) bool { return w == "-" || w == "\u2010" || w == "\u2011" }

func kindOf(w string) kind {
	r, _ := utf8.DecodeRuneInString(w)
	switch {
	case unicode.IsSpace(r) && strings.TrimSpace(w) == "":
		return blank
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return word
	case strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return word
	}
	return mark
}

// lines is what the words before a line break say of it.
type lines struct {
	head, last string // the first and the last word of the line
	fenced     bool   // it is in a block of code
}

// read takes note of a word.
func (l *lines) read(w string, k kind) {
	if k == block || k == blank && strings.ContainsRune(w, '\n') {
		l.head, l.last = "", ""
		return
	}
	if k != blank && len(l.head) < len("```") {
		l.head += w
		if l.head == "```" {
			l.fenced = !l.fenced
		}
	}
	l.last = w
}

// ends reports whether white space ends a paragraph or an item, before the
// rest of the text. Within a paragraph, lines are broken where they are full.
func (l *lines) ends(w, rest string) bool {
	before, after, found := strings.Cut(w, "\n")
	switch {
	case !found:
		return false
	case l.fenced, rest == "", strings.HasPrefix(l.head, "#"), strings.HasPrefix(l.head, "|"), l.last == "\\":
		return true
	case len(strings.TrimSuffix(before, "\r")) > 1, len(after) > 3, strings.Trim(after, " ") != "":
		return true // two spaces break a line, four begin code, and there may be an empty line
	}
	number := strings.TrimLeft(rest, "0123456789")
	return strings.IndexByte("-*+#>|`~=", rest[0]) >= 0 ||
		number != rest && number != "" && strings.IndexByte(".)", number[0]) >= 0
}

func (a *alphabet) letterOf(w string, k kind) rune {
	letter, known := a.letter[w]
	if !known {
		letter = rune(len(a.words))
		if letter >= firstSurrogate {
			letter += surrogates
		}
		a.letter[w] = letter
		a.words, a.kinds = append(a.words, w), append(a.kinds, k)
	}
	return letter
}

// isFull reports whether there are more words than letters.
func (a *alphabet) isFull() bool { return len(a.words) > utf8.MaxRune-surrogates }

// kind returns what kind of word a letter stands for.
func (a *alphabet) kind(letter rune) kind { return a.kinds[index(letter)] }

// index returns the place of a letter in the alphabet.
func index(letter rune) int {
	if letter >= firstSurrogate {
		letter -= surrogates
	}
	return int(letter)
}

// isSpace reports whether a letter stands for white space.
func (a *alphabet) isSpace(letter rune) bool {
	k := a.kind(letter)
	return k == blank || k == block
}
