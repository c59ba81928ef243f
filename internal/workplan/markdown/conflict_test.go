package markdown

import (
	"strings"
	"testing"
)

// TestMergeConflicts guards: where git left merge conflicts in a file that is not valid, they alone are reported, each by its line. A file
// that is only about conflicts is as it was.
func TestMergeConflicts(t *testing.T) {
	const conflict = "<<<<<<< HEAD\nstatus: done\n=======\nstatus: todo\n>>>>>>> topic\n"
	for _, row := range []struct{ name, src, want string }{
		{"in a block", front + "```task\nid: a\n" + conflict + "```\n", "w.md:8:1: a merge conflict of git, up to line 12: want it resolved, without the markers"},
		{"in the frontmatter, and another", "---\nid: W\ntitle: T\n" + conflict + "---\n" + conflict, "w.md:4:1: …\nw.md:10:1: …"},
		{"of the first line", "\ufeff<<<<<<< HEAD\r\n---\r\n=======\r\n--- \r\n>>>>>>> topic\r\nid: W\r\n---\r\n", "w.md:1:1: …"},
		{"with the base, and longer markers", front + "<<<<<<<<< a\n```task\nid: a\n||||||||| b\n=========\n```task\n>>>>>>>>> c\nstatus: todo\n```\n", "w.md:6:1: …"},
		{"in text alone", front + conflict, ""},
		{"no whole conflict", front + "<<<<<<< HEAD\n=======\n" + task("a", "later"), "w.md:10:9: unknown status"},
		{"no marker", front + "<<<<<<<HEAD\n=======\n>>>>>>> x\n" + task("a", "later"), "w.md:11:9: unknown status"},
	} {
		_, err := Parse("w.md", []byte(row.src))
		got := ""
		if err != nil {
			got = err.Error()
		}
		for want := range strings.SplitSeq(row.want, "\n") {
			begin := strings.TrimSuffix(want, "…")
			if !strings.Contains(got, begin) || strings.Count(got, "\n") != strings.Count(row.want, "\n") || (got == "") != (want == "") {
				t.Errorf("%s: %s", row.name, got)
			}
		}
	}
}
