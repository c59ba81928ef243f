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
		{"words apart", "Fix the parser bug", "Mend the parser bug", "Fix the parser fault", "Mend the parser fault"},
		{"the same edit and one more", "one two three four", "1 two three four", "1 two three 4", "1 two three 4"},
		{"insertions apart", "Fix the parser", "Fix the old parser", "Fix the parser soon", "Fix the old parser soon"},
		{"list items apart", "- a\n- b\n- c\n", "- a\n- x\n- b\n- c\n", "- a\n- b\n- y\n- c\n", "- a\n- x\n- b\n- y\n- c\n"},
		{"list items at both ends", "- a\n", "- x\n- a\n", "- a\n- y\n", "- x\n- a\n- y\n"},
		{"a list item added by both", "- a\n- b\n- c", "- a\n- x\n- b\n- c", "- a\n- x\n- b\n- c\n- d", "- a\n- x\n- b\n- c\n- d"},
		{"a list item removed, another edited", "- a\n- b\n- c or d\n", "- b\n- c or d\n", "- a\n- b\n- c or e\n", "- b\n- c or e\n"},
		{"Chinese", "修复解析器的错误", "修改解析器的错误", "修复解析器的问题", "修改解析器的问题"},
		{"one of equal words removed by both", "very very very good, I say", "very very good, I say", "very very good, you say", "very very good, you say"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, sides := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
				got, ok := textmerge.Merge(tt.base, sides[0], sides[1])
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
		{"a word made of two that met", "a; . ;b", "a. ;b", "a; .b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, sides := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
				if got, ok := textmerge.Merge(tt.base, sides[0], sides[1]); got != "" || ok {
					t.Errorf("%q and %q: got %q, %v", sides[0], sides[1], got, ok)
				}
			}
		})
	}
}
