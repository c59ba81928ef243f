package history_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-ralph/internal/git"
	"git-ralph/internal/git/gittest"
	"git-ralph/internal/history"
)

// A plan is followed to another place as long as the commit that moved it is
// there, whatever was kept.
func TestMoveThatIsGone(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("one", map[string]string{movedFile: taskLine("t-0001", "one")})
	r.Commit("two", map[string]string{movedFile: taskLine("t-0001", "two")})
	r.Git("switch", "-q", "-c", "away")
	r.WriteFile(planFile, taskLine("t-0001", "two"))
	r.Remove(movedFile)
	r.Git("add", "-A")
	r.Git("commit", "-q", "-m", "moved")
	compare := func(when string) {
		t.Helper()
		if diff := cmp.Diff(told(read(t, r, []string{planFile}, "")), told(read(t, r, []string{planFile}, "test"))); diff != "" {
			t.Errorf("%s: -anew +kept\n%s", when, diff)
		}
	}
	compare("while the plan is followed")
	r.Commit("three", map[string]string{planFile: taskLine("t-0001", "three")})
	r.Git("reset", "-q", "--hard", "HEAD^")
	compare("while the plan is followed, after a reset")
	r.Git("switch", "-q", "-")
	r.Git("branch", "-q", "-D", "away")
	compare("after the commit that moved it is gone")
}

// What of a reference's name is the branch depends on which remotes there are.
func TestAnswersFollowRemotes(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("one", map[string]string{planFile: taskLine("t-0001", "one")})
	r.Git("config", "remote.a.url", "x")
	look := func() *history.Look {
		repo, err := git.Open(t.Context(), r.Dir, r.Env)
		if err != nil {
			t.Fatal(err)
		}
		l, err := history.Begin(t.Context(), history.Options{Repo: repo, Paths: []string{planFile}, Maker: "test"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		return l
	}
	l := look()
	if _, err := l.History(); err != nil {
		t.Fatal(err)
	}
	l.Keep("what?", []byte("that"))
	if look().Answer("what?") == nil {
		t.Error("nothing was kept")
	}
	r.Git("config", "remote.a/b.url", "x")
	if got := look().Answer("what?"); got != nil {
		t.Errorf("after a remote: %q", got)
	}
}
