package landed

import (
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// A patch is equal to itself elsewhere in the file, differs from one of other blanks, and its inverse is that of git's revert.
func TestPatches(t *testing.T) {
	r := gittest.NewRepo(t)
	content := strings.Repeat("same\n", 20)
	read := func(from, to string) patch {
		out := r.Git("diff-tree", "-r", "-p", "--full-index", "--no-prefix", "--no-renames", from, to)
		return readPatches(out + "\n")[""]
	}
	base := r.Commit("base", map[string]string{"f": content, "gone": "-- a\n", "bin": "\x00a"})
	r.Remove("gone")
	changed := r.Commit("changed", map[string]string{"f": content + "-- a\n++ b", "new": "x\n", "bin": "\x00b"})
	r.Git("revert", "--no-edit", "HEAD")
	one, back := read(base, changed), read(changed, "HEAD")
	if one.inverse().key() != back.key() || back.inverse().key() != one.key() || one.key() == back.key() || len(one) != 4 {
		t.Errorf("%q\n%q", one.inverse(), back)
	}
	moved := r.Commit("moved", map[string]string{"f": "first\n" + content})
	again := r.Commit("again", map[string]string{"f": "first\n" + content + "-- a\n++ b"})
	same := r.Commit("blanks", map[string]string{"f": "first\n" + content + "--  a\n++ b"})
	file := func(p patch) string {
		for _, f := range p {
			if f.name == "diff --git f f" {
				return patch{f}.key()
			}
		}
		return ""
	}
	if file(one) == "" || file(one) != file(read(moved, again)) {
		t.Errorf("%q\n%q", one, read(moved, again))
	}
	if file(one) == file(read(moved, same)) {
		t.Error("blanks are the same")
	}
}

// TestBare guards: what surrounds a change does not count in a bare patch, what is a change of its own does.
func TestBare(t *testing.T) {
	lines := func(lines ...string) patch { return patch{{name: "f", lines: lines}} }
	one := lines("@@", " a", "-b", "+c", " d", " e", "-f", "+g", " h", "@@", "+i")
	same := lines("@@", " x", "-b", "+c", " y", "@@", " z", "-f", "+g", "@@", "+i", " x")
	if one.bare().key() != same.bare().key() || one.inverse().bare().key() != same.bare().inverse().key() {
		t.Errorf("%q, want %q", one.bare(), same.bare())
	}
	if other := lines("@@", "-b", "-f", "+c", "+g", "@@", "+i"); other.bare().key() == one.bare().key() {
		t.Error("two changes are as good as one")
	}
}
