package git_test

import (
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/test/gittest"
)

// TestIsIgnored guards: what git ignores is known for every name, also that of a file which does not exist yet.
func TestIsIgnored(t *testing.T) {
	r := gittest.NewRepo(t)
	r.WriteFile(".gitignore", "*.tmp\nbuild/\n!keep.tmp\n")
	r.WriteFile("a.tmp", "x")
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		"a.tmp": true, "gone.tmp": true, "build/a/b.md": true, ":(top)*.tmp": true, "-q.tmp": true,
		"a.md": false, "keep.tmp": false, ":(exclude)a.md": false, "*.md": false,
	} {
		if got, err := git.IsIgnored(t.Context(), repo, path); got != want || err != nil {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
}
