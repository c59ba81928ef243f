package git_test

import (
	"os"
	"path/filepath"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/test/gittest"
)

// TestIsWithin guards: a directory counts as one of the worktree only where git, run in it, would find the same repository.
func TestIsWithin(t *testing.T) {
	r := gittest.NewRepo(t)
	r.WriteFile("a/b/x", "x")
	inner := filepath.Join(r.Dir, "a", "inner")
	r.Git("init", "-q", inner)
	outside := t.TempDir()
	if err := os.Symlink(outside, r.Path("a/link")); err != nil {
		t.Skip(err)
	}
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{
		r.Dir: true, r.Path("a/b"): true, r.Path("a/gone"): true,
		inner: false, filepath.Join(inner, ".git"): false, r.Path(".git"): false, outside: false, r.Path("a/link"): false, filepath.Dir(r.Dir): false, "/": false,
	} {
		if git.IsWithin(repo, dir) != want {
			t.Errorf("%s: want %v", dir, want)
		}
	}
}
