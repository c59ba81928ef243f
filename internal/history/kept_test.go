package history_test

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"git-ralph/internal/git"
	"git-ralph/internal/history"
	"git-ralph/internal/test/gittest"
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
		if diff := cmp.Diff(textOf(read(t, r, []string{planFile}, "")), textOf(read(t, r, []string{planFile}, "test"))); diff != "" {
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

// open opens a repository, as a program that keeps what it reads.
func open(t *testing.T, r *gittest.Repo) *history.Reader {
	t.Helper()
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	l, err := history.Open(t.Context(), history.Options{Repo: repo, Paths: []string{planFile}, ProgramVersion: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// What of a reference's name is the branch depends on which remotes there are.
func TestAnswersFollowRemotes(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("one", map[string]string{planFile: taskLine("t-0001", "one")})
	r.Git("config", "remote.a.url", "x")
	l := open(t, r)
	if _, err := l.History(); err != nil {
		t.Fatal(err)
	}
	keepAnswer(t, l, "what?", "that")
	if open(t, r).Answer("what?") == nil {
		t.Error("nothing was kept")
	}
	r.Git("config", "remote.a/b.url", "x")
	if got := open(t, r).Answer("what?"); got != nil {
		t.Errorf("after a remote: %q", got)
	}
}

// Which tasks were accepted is known anew when HEAD comes to where they were,
// without any new commit.
func TestKnownIDsFollowHead(t *testing.T) {
	r := gittest.NewRepo(t)
	done := `{"t":"task","id":"t-0001","name":"x","s":"d","done_at":"abcd","spec":"a.md"}` + "\n"
	first := r.Commit("done", map[string]string{planFile: done + taskLine("t-0002", "y")})
	r.Commit("accepted", map[string]string{planFile: taskLine("t-0002", "y")})
	r.Git("branch", "later")
	r.Git("reset", "-q", "--hard", first)
	known := func() map[string]bool {
		read(t, r, []string{planFile}, "test")
		repo, err := git.Open(t.Context(), r.Dir, r.Env)
		if err != nil {
			t.Fatal(err)
		}
		return history.KnownIDs(history.Options{Repo: repo, Paths: []string{planFile}, ProgramVersion: "test"})
	}
	if diff := cmp.Diff(map[string]bool{"t-0001": false, "t-0002": false}, known()); diff != "" {
		t.Errorf("before: %s", diff)
	}
	r.Git("merge", "-q", "--ff-only", "later")
	if diff := cmp.Diff(map[string]bool{"t-0001": true, "t-0002": false}, known()); diff != "" {
		t.Errorf("after HEAD moved on: %s", diff)
	}
}

// What killed runs left half written is taken away after a while, also where nothing but answers is kept.
func TestWhatIsLeftIsTakenAway(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("one", map[string]string{planFile: taskLine("t-0001", "one")})
	read(t, r, []string{planFile}, "test")
	left, young := ".git/ralph/history/1-01234567.part", ".git/ralph/history/x.answer-01234567.part"
	r.WriteFile(left, "half")
	r.WriteFile(young, "half")
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(r.Path(left), old, old); err != nil {
		t.Fatal(err)
	}
	l := open(t, r)
	if _, err := l.History(); err != nil {
		t.Fatal(err)
	}
	keepAnswer(t, l, "what?", "that")
	if r.Exists(left) || !r.Exists(young) {
		t.Errorf("old: %v, young: %v", r.Exists(left), r.Exists(young))
	}
}
