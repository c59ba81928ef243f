package githook

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// docs/hooks.md, "Closing": what a message closes, and what it only speaks of.
func TestClosingOf(t *testing.T) {
	tests := []struct {
		name, message string
		words         bool
		want          closing
	}{
		{"nothing", "Fix the parser\n\nIt was slow.\n", true, closing{}},
		{"one", "x\n\nRalph-Done: t-a\n", false, closing{tasks: []string{"t-a"}}},
		{"without a line break", "x\n\nRalph-Done:t-a", false, closing{tasks: []string{"t-a"}}},
		{"several", "x\n\nralph-done: t-a, t-b t-c,,\nRalph-Done : t-b\nRALPH-ISSUE: i-a\r\n", false, closing{[]string{"t-a", "t-b", "t-c"}, []string{"i-a"}}},
		{"continued", "x\n\nRalph-Done: t-a,\n  t-b\nRalph-Issue:\n\ti-a\nSigned-off-by: me\n t-c\n", false, closing{[]string{"t-a", "t-b"}, []string{"i-a"}}},
		{"quoted and commented", "x\n\n> Ralph-Done: t-a\n# Ralph-Done: t-b\n  Ralph-Done: t-c\n", false, closing{}},
		{"other trailers", "x\n\nRalph-Event: done t-a {}\nRalph-Branch: main\n", true, closing{}},
		{"below the scissors", "x\n# ------------------------ >8 ------------------------\nRalph-Done: t-a\n", false, closing{}},
		{"words not asked for", "This closes t-a\n", false, closing{}},
		{"words", "This closes t-a. It (closes i-b) and closes nothing, encloses t-c\n", true, closing{[]string{"t-a"}, []string{"i-b"}}},
		{"words apart", "closes  t-a\nCloses: t-b\nCLOSES\ti-a\ncloses : t-c\ncloses#t-d closes #t-e", true, closing{[]string{"t-a", "t-b"}, []string{"i-a"}}},
		{"words, several", "closes t-a, t-b,t-c and i-a. t-d is open. closes t-e t-f, and so t-g", true, closing{[]string{"t-a", "t-b", "t-c", "t-e", "t-f"}, []string{"i-a"}}},
		{"a trailer of words not asked for", "x\n\nCloses: t-a\n", false, closing{}},
		{"the last word", "closes\nt-a", true, closing{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := closingOf(tt.message, tt.words)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(closing{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}
