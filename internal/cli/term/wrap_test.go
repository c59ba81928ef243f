package term

import (
	"slices"
	"testing"
)

// TestWrap guards: lines break at blanks, a word that is wider than a line is broken, and nothing but blanks
// is lost.
func TestWrap(t *testing.T) {
	for _, it := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"abc", 3, []string{"abc"}},
		{"ab cd ef", 5, []string{"ab cd", "ef"}},
		{"ab cd ef", 4, []string{"ab", "cd", "ef"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"a bcdefgh", 3, []string{"a", "bcd", "efg", "h"}},
		{"日本語", 4, []string{"日本", "語"}},
		{"x 日本語", 5, []string{"x", "日本", "語"}},
		{"  indented text", 10, []string{"  indented", "text"}},
	} {
		if got := WrapText(it.text, it.width); !slices.Equal(got, it.want) {
			t.Errorf("%q in %d columns: %q, want %q", it.text, it.width, got, it.want)
		}
	}
}
