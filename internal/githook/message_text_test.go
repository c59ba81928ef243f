package githook

import (
	"strings"
	"testing"
)

// docs/hooks.md, "commit-msg": where in a message its trailers go.
func TestTrailersOfMessage(t *testing.T) {
	const ours, former = "Ralph-Event: edited t-1 {}", "Ralph-Event: added t-1 {}\nRalph-Branch: x"
	sharp := func(line string) bool { return strings.HasPrefix(line, "#") }
	never := func(string) bool { return false }
	for _, test := range []struct {
		name, message string
		comment       func(string) bool
		want          string
	}{
		{"a subject", "x\n", never, "x\n\n" + ours + "\n"},
		{"no line break at the end", "x", never, "x\n\n" + ours + "\n"},
		{"a subject that looks like a trailer", "fix: x\n", never, "fix: x\n\n" + ours + "\n"},
		{"text", "x\n\ntext: of two\nlines\n\n\n", never, "x\n\ntext: of two\nlines\n\n" + ours + "\n\n\n"},
		{"trailers", "x\n\nSigned-off-by: a\n and b\nFixes: #1\n", never, "x\n\nSigned-off-by: a\n and b\nFixes: #1\n" + ours + "\n"},
		{"a cherry-pick's", "x\n\n(cherry picked from commit abc)\n", never, "x\n\n(cherry picked from commit abc)\n" + ours + "\n"},
		{"former ones", "x\n\n" + former + "\n", never, "x\n\n" + ours + "\n"},
		{"former ones between others", "x\n\nA: b\n" + former + "\nC: d\n", never, "x\n\nA: b\nC: d\n" + ours + "\n"},
		{"comments", "x\n\n# Please\n#\n", sharp, "x\n\n" + ours + "\n\n# Please\n#\n"},
		{"no comments", "x\n\n#1 is fixed\n", never, "x\n\n#1 is fixed\n\n" + ours + "\n"},
		{"scissors", "x\n# " + scissors + "\n# Do not\ndiff\n", sharp, "x\n\n" + ours + "\n# " + scissors + "\n# Do not\ndiff\n"},
		{"Windows", "x\r\n\r\ntext\r\n", never, "x\r\n\r\ntext\r\n\r\n" + ours + "\r\n"},
		{"nothing", "\n# Please\n", sharp, "\n# Please\n"},
		{"nothing but comments above", "# a\n\n# b\n# " + scissors + "\ndiff\n", sharp, "# a\n\n# b\n# " + scissors + "\ndiff\n"},
		{"empty", "", sharp, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := readMessage(test.message, test.comment)
			once := m.withTrailers([]string{ours})
			if once != test.want {
				t.Errorf("got %q, want %q", once, test.want)
			}
			if twice := readMessage(once, test.comment).withTrailers([]string{ours}); twice != once {
				t.Errorf("again: %q", twice)
			}
		})
	}
}
