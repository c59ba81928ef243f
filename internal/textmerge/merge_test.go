package textmerge_test

import (
	"testing"

	"git-ralph/internal/textmerge"
)

// What merges, and to what.
func TestMerge(t *testing.T) {
	tests := []struct{ name, base, a, b, want string }{
		{"nothing", "", "", "", ""},
		{"one side", "a b", "a b", "a c", "a c"},
		{"the same edit", "a b", "a c", "a c", "a c"},
		{"the same new text", "", "new", "new", "new"},
		{"words apart", "Fix the parser bug", "Repair the parser bug", "Fix the parser fault", "Repair the parser fault"},
		{"the same edit and one more", "one two three four", "1 two three four", "1 two three 4", "1 two three 4"},
		{"insertions apart", "Fix the parser", "Fix the old parser", "Fix the parser soon", "Fix the old parser soon"},
		{"list items apart", "- a\n- b\n- c\n", "- a\n- x\n- b\n- c\n", "- a\n- b\n- y\n- c\n", "- a\n- x\n- b\n- y\n- c\n"},
		{"list items at both ends", "- a\n", "- x\n- a\n", "- a\n- y\n", "- x\n- a\n- y\n"},
		{"a list item added by both", "- a\n- b\n- c", "- a\n- x\n- b\n- c", "- a\n- x\n- b\n- c\n- d", "- a\n- x\n- b\n- c\n- d"},
		{"a list item removed, another edited", "- a\n- b\n- c or d\n", "- b\n- c or d\n", "- a\n- b\n- c or e\n", "- b\n- c or e\n"},
		{"paragraphs apart", "## A\n\nOne.\n\n## B\n\nTwo.\n", "## A\n\nOne.\nMore.\n\n## B\n\nTwo.\n", "## A\n\nOne.\n\n## B\n\nTwo.\nLess.\n", "## A\n\nOne.\nMore.\n\n## B\n\nTwo.\nLess.\n"},
		{"boxes ticked", "- [ ] a\n- [ ] b\n", "- [x] a\n- [ ] b\n", "- [ ] a\n- [x] b\n", "- [x] a\n- [x] b\n"},
		{"list items under two heads", "A:\n- a\nB:\n- b\n", "A:\n- a\n- x\nB:\n- b\n", "A:\n- a\nB:\n- b\n- y\n", "A:\n- a\n- x\nB:\n- b\n- y\n"},
		{"a list item moved, another edited", "- a\n- b\n- c\n- d or e\n", "- b\n- a\n- c\n- d or e\n", "- a\n- b\n- c\n- d or f\n", "- b\n- a\n- c\n- d or f\n"},
		{"Windows line ends", "a\r\nb\r\nc\r\n", "x\r\nb\r\nc\r\n", "a\r\nb\r\nz\r\n", "x\r\nb\r\nz\r\n"},
		{"no line end at the end", "one\ntwo\nthree", "1\ntwo\nthree", "one\ntwo\nthree\nfour", "1\ntwo\nthree\nfour"},
		{"combining marks", "cafe au lait", "cafe\u0301 au lait", "cafe au lait\u0301", "cafe\u0301 au lait\u0301"},
		{"emoji of several", "👩‍👩‍👧 is ok 👍", "👩‍👩‍👦 is ok 👍", "👩‍👩‍👧 is ok 👍🏽", "👩‍👩‍👦 is ok 👍🏽"},
		{"flags", "🇩🇪 🇫🇷🇮🇹", "🇪🇸 🇫🇷🇮🇹", "🇩🇪 🇫🇷🇵🇱", "🇪🇸 🇫🇷🇵🇱"},
		{"Arabic", "شكرا لك يا صديقي", "عفوا لك يا صديقي", "شكرا لك يا أخي", "عفوا لك يا أخي"},
		{"Thai", "น้ำดีมาก", "นมดีมาก", "น้ำดีจัง", "นมดีจัง"},
		{"Chinese", "修复解析器的错误", "修改解析器的错误", "修复解析器的问题", "修改解析器的问题"},
		{"a line break in a paragraph", "a b", "a  b", "a\nb", "a  b"},
		{"lines broken anew, a word edited", "One two three\nfour five six.", "One two\nthree four\nfive six.", "One two three\nfour 5 six.", "One two\nthree four\n5 six."},
		{"a hyphenated word and another", "a well-known word and so on", "a well-loved word and so on", "a well-known word and on", "a well-loved word and on"},
		{"one of equal words removed by both", "very very very good, I say", "very very good, I say", "very very good, you say", "very very good, you say"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, sides := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
				got, _, ok := textmerge.Merge(tt.base, sides[0], sides[1])
				if got != tt.want || !ok {
					t.Errorf("%q and %q: got %q, %v, want %q", sides[0], sides[1], got, ok, tt.want)
				}
			}
		})
	}
}

// What overlaps, and so does not merge.
func TestOverlap(t *testing.T) {
	tests := []struct{ name, base, a, b string }{
		{"the same word", "100", "1000", "200"},
		{"the words beside each other", "wait 100 ms now", "wait 200 ms now", "wait 100 s now"},
		{"two new texts", "", "one", "two"},
		{"insertions at one place", "a b", "a x b", "a y b"},
		{"additions at the end", "a.", "a. b.", "a. c."},
		{"an insertion before a changed word", "the fox ran", "the red fox ran", "the dog ran"},
		{"an insertion behind a changed word", "the fox ran", "the red fox ran", "one fox ran"},
		{"removed and edited", "keep this text here", "keep here", "keep this word here"},
		{"list items at one place", "- a\n- b\n", "- a\n- x\n- b\n", "- a\n- y\n- b\n"},
		{"Chinese side by side", "修复", "改复", "修正"},
		{"lines side by side", "one\ntwo\n", "1\ntwo\n", "one\n2\n"},
		{"list items removed side by side", "- a\n- b\n- c\n", "- b\n- c\n", "- a\n- c\n"},
		{"a list item before an edited one", "- a\n- b\n", "- a\n- x\n- b\n", "- a\n- c\n"},
		{"a list item behind an edited one", "- a\n- b\n", "- a\n- x\n- b\n", "- c\n- b\n"},
		{"equal words, one more and one else", "so so so good", "so so so so good", "so so very good"},
		{"moved and edited", "One two. Three four.", "Three four. One two.", "One two. Three five."},
		{"a phrase said anew", "Open the door", "Close the window", "Open a door"},
		{"halves of a hyphenated word", "a well-known word", "a little-known word", "a well-loved word"},
		{"list items are no paragraph", "- a\n- b", "- a - b", "- a\n\n- b"},
		{"a sentence moved, and edited where it was", "One is here. Two is there. Three is nowhere. Four is far.", "Two is there. Three is nowhere. Four is far. One is here.", "One was here. Two is there. Three is nowhere. Four is far."},
		{"a sentence moved, and edited on the way", "One is here. Two is there. Three is nowhere.", "Two is there. One is here. Three is nowhere.", "One is here. Two was there. Three is nowhere."},
		{"one of two equal sentences removed by each", "Run it. Now build. Run it again. Wait. Run it. Done.", "Now build. Run it again. Wait. Run it. Done.", "Run it. Now build. Run it again. Wait. Done."},
		{"a sentence added by both, in two places", "One two. Three four. Five six.", "One two. So be it. Three four. Five six.", "One two. Three four. So be it. Five six."},
		{"a mark and a mark", "e", "e\u0301", "e\u0300"},
		{"a word made of two that met", "a; . ;b", "a. ;b", "a; .b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, sides := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
				if got, _, ok := textmerge.Merge(tt.base, sides[0], sides[1]); got != "" || ok {
					t.Errorf("%q and %q: got %q, %v", sides[0], sides[1], got, ok)
				}
			}
		})
	}
}
