//go:build unix

package uiprogram_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"git-ralph/internal/uiprogram"
)

// git-ralph-ui is the one beside git-ralph, else one on the PATH, and never one in the worktree, whichever link leads there.
func TestFind(t *testing.T) {
	top := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{top}, names...)...) }
	for _, dir := range []string{"own", "other", "repo/.git", "repo/bin", "repo/sub/deep"} {
		if err := os.MkdirAll(at(dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"own", "other", "repo/bin"} {
		if err := os.WriteFile(at(dir, uiprogram.Name), nil, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(at("repo", "bin"), at("link")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, program, dir, path, want string }{
		{"beside git-ralph", at("own/git-ralph"), top, at("other"), at("own", uiprogram.Name)},
		{"on the PATH", at("none/git-ralph"), top, at("other"), at("other", uiprogram.Name)},
		{"git-ralph's own place is not known", "", top, at("other"), at("other", uiprogram.Name)},
		{"nowhere", at("none/git-ralph"), top, at("none"), ""},
		{"in the worktree", at("none/git-ralph"), at("repo"), at("repo/bin"), ""},
		{"in the worktree, from below", at("none/git-ralph"), at("repo/sub/deep"), at("repo/bin"), ""},
		{"a link into the worktree", at("none/git-ralph"), at("repo"), at("link"), ""},
		{"in another worktree", at("none/git-ralph"), top, at("repo/bin"), at("repo/bin", uiprogram.Name)},
		{"git-ralph is in the worktree too", at("repo/bin/git-ralph"), at("repo"), at("none"), at("repo/bin", uiprogram.Name)},
	} {
		got, err := uiprogram.Find(c.program, c.dir, []string{"PATH=" + c.path})
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// git-ralph-ui refuses a git-ralph of another version, and does not hand the version on to the programs that it starts.
func TestVersionsMustAgree(t *testing.T) {
	plain := []string{"HOME=/home"}
	started := uiprogram.Environ(uiprogram.Environ(plain, "v1"), "v2")
	if environ, err := uiprogram.Check(started, "v2"); err != nil || !slices.Equal(environ, plain) {
		t.Errorf("the same version: %v, %v", environ, err)
	}
	if _, err := uiprogram.Check(started, "v1"); err == nil || err.Error() != `git-ralph-ui is version "v1", and git-ralph is version "v2"` {
		t.Errorf("another version: %v", err)
	}
	if _, err := uiprogram.Check(plain, "v1"); err != nil {
		t.Errorf("started by hand: %v", err)
	}
}
