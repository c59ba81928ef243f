package commit_test

import (
	"testing"

	"git-ralph/internal/test/gittest"
)

// Commands that git runs for us find the repository although they run elsewhere than the caller.
func TestRelativeEnvironment(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("first", map[string]string{"dir/file": "x"})
	sub := r.At("dir").Setenv("GIT_DIR", "../.git").Setenv("GIT_WORK_TREE", "..")
	if err := change(mustOpen(t, sub), plan, "new\n", "m"); err != nil {
		t.Fatal(err)
	}
	if got := r.Git("show", "HEAD:"+plan); got != "new" {
		t.Errorf("committed %q", got)
	}
	if got := r.Git("status", "--porcelain"); got != "" {
		t.Errorf("status %q", got)
	}
}
