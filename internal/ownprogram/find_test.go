//go:build unix

package ownprogram_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"git-ralph/internal/ownprogram"
)

// A program is the one beside git-ralph, else one in libexec of its prefix, else one on the PATH, and never one in the worktree,
// whichever link leads there.
func TestFind(t *testing.T) {
	const name = "git-ralph-ui"
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(names ...string) string { return filepath.Join(append([]string{top}, names...)...) }
	for _, dir := range []string{"own", "other", "prefix/bin", "prefix/libexec/git-ralph", "links", "repo/.git", "repo/bin", "repo/sub/deep"} {
		if err := os.MkdirAll(at(dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"own", "other", "prefix/libexec/git-ralph", "repo/bin"} {
		if err := os.WriteFile(at(dir, name), nil, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(
		os.Symlink(at("repo", "bin"), at("link")),
		os.WriteFile(at("prefix/bin/git-ralph"), nil, 0o777), os.Symlink("../prefix/bin/git-ralph", at("links/git-ralph")),
	); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, program, dir, path, want string }{
		{"beside git-ralph", at("own/git-ralph"), top, at("other"), at("own", name)},
		{"in libexec", at("prefix/bin/git-ralph"), top, at("other"), at("prefix/libexec/git-ralph", name)},
		{"in libexec, git-ralph is called by a link", at("links/git-ralph"), top, at("other"), at("prefix/libexec/git-ralph", name)},
		{"on the PATH", at("none/git-ralph"), top, at("other"), at("other", name)},
		{"git-ralph's own place is not known", "", top, at("other"), at("other", name)},
		{"nowhere", at("none/git-ralph"), top, at("none"), ""},
		{"in the worktree", at("none/git-ralph"), at("repo"), at("repo/bin"), ""},
		{"in the worktree, from below", at("none/git-ralph"), at("repo/sub/deep"), at("repo/bin"), ""},
		{"a link into the worktree", at("none/git-ralph"), at("repo"), at("link"), ""},
		{"in another worktree", at("none/git-ralph"), top, at("repo/bin"), at("repo/bin", name)},
		{"git-ralph is in the worktree too", at("repo/bin/git-ralph"), at("repo"), at("none"), at("repo/bin", name)},
	} {
		got, err := ownprogram.Find(name, c.program, c.dir, []string{"PATH=" + c.path})
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}
