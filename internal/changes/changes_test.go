package changes

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"git-ralph/internal/jsonl"
)

// TestInside guards: names are as git has them, and none leaves the worktree.
func TestInside(t *testing.T) {
	got := InsideWorktree([]string{"a.go", "./dir//b.go", "dir/../c.go", ".", "", "../out", "dir/../../out", "dir/"})
	if want := []string{"a.go", "dir/b.go", "c.go", "dir"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSignatures guards: what was recorded is read back as it was, what is broken is left out, and a file that changed or
// came since is not called unchanged.
func TestSignatures(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("same", "1")
	write("changed", "1")
	taken := SignaturesOf(root, []string{"same", "changed", "missing", "came"})
	record, err := jsonl.ParseObject(`{"files": ` + string(taken.JSON()) + `, "broken": [1, {"path": "x"}, {"path": "y", "size": 1, "time": 2}]}`)
	if err != nil {
		t.Fatal(err)
	}
	write("changed", "22")
	write("came", "1")
	if got := ReadSignatures(record, "files").Unchanged(root); !slices.Equal(got, []string{"missing", "same"}) {
		t.Errorf("unchanged: %q", got)
	}
	if got := ReadSignatures(record, "broken"); len(got) != 1 || got["y"] != (signature{1, 2}) {
		t.Errorf("of a broken list: %v", got)
	}
	if got := ReadSignatures(record, "none"); len(got) != 0 {
		t.Errorf("of no list: %v", got)
	}
}

// TestLeftByPastRun guards: a run that ended left what it listed and is as it was; one that was killed left all that was not
// the user's; and of an unknown run nothing is claimed.
func TestLeftByPastRun(t *testing.T) {
	users, was, now := Signatures{"mine": {1, 1}, "dir/": {1, 1}}, signature{1, 1}, signature{2, 2}
	ended := pastRun{known: true, ended: true, users: users, files: Signatures{"left": was}}
	killed := pastRun{known: true, users: users}
	for _, it := range []struct {
		what string
		run  pastRun
		path string
		now  signature
		want bool
	}{
		{"listed and as it was", ended, "left", was, true},
		{"changed since", ended, "left", now, false},
		{"not listed", ended, "new", now, false},
		{"the user's", killed, "mine", now, false},
		{"in a directory of the user's", killed, "dir/file", now, false},
		{"any other of a killed run", killed, "new", now, true},
		{"of an unknown run", pastRun{}, "new", now, false},
	} {
		if got := it.run.left(it.path, it.now); got != it.want {
			t.Errorf("%s: left = %v", it.what, got)
		}
	}
}

// TestListed guards: of many files the first ones are named and the others counted.
func TestListed(t *testing.T) {
	if got := Listed([]string{"a", "b"}); got != "a, b" {
		t.Error(got)
	}
	if got, want := Listed([]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}), "1, 2, 3, 4, 5, 6, 7, 8 and 2 more"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
