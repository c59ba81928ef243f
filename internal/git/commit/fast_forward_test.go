package commit

import (
	"errors"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/test/gittest"
)

// twoCommits makes a repository at the first of two commits that change, add, and remove files, and returns both.
func twoCommits(t *testing.T) (r *gittest.Repo, repo *git.Repo, from, to string) {
	t.Helper()
	r = gittest.NewRepo(t)
	from = r.Commit("from", map[string]string{"changed": "1\n", "removed": "1\n", "mine": "1\n", "staged": "1\n"})
	r.Remove("removed")
	to = r.Commit("to", map[string]string{"changed": "2\n", "d/added": "2\n"})
	r.Git("reset", "-q", "--hard", from)
	r.WriteFile("mine", "of the user\n")
	r.WriteFile("staged", "of the user\n")
	r.WriteFile("untracked", "of the user\n")
	r.Git("add", "staged")
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	return r, repo, from, to
}

// usersChanges is what `git status` says of twoCommits, wherever the branch is.
const usersChanges = " M mine\nM  staged\n?? untracked"

func beginForward(t *testing.T, repo *git.Repo, from, to string) *FastForward {
	t.Helper()
	f, err := BeginFastForward(t.Context(), repo, "ralph/plan.jsonl", from, to, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A fast-forward changes the files that differ and leaves the user's changes; what it began and did not finish, it takes back.
func TestFastForward(t *testing.T) {
	r, repo, from, to := twoCommits(t)
	f := beginForward(t, repo, from, to)
	if err := errors.Join(f.Apply(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if got := r.Git("status", "--porcelain"); got != usersChanges || r.ReadFile("changed") != "1\n" {
		t.Errorf("after what was not finished:\n%s", got)
	}
	f = beginForward(t, repo, from, to)
	if err := f.Apply(); err != nil {
		t.Fatal(err)
	}
	r.Git("update-ref", "refs/heads/main", to, from)
	if err := f.Finish(); err != nil {
		t.Fatal(err)
	}
	if got := r.Git("status", "--porcelain"); got != usersChanges || r.ReadFile("changed") != "2\n" || r.Exists("removed") {
		t.Errorf("after it was finished:\n%s", got)
	}
	if LeftFastForward(repo) {
		t.Error("a note is left")
	}
}

// Changes of the user's in a file that would be overwritten keep everything as it is.
func TestFastForwardInTheWay(t *testing.T) {
	r, repo, from, to := twoCommits(t)
	r.WriteFile("changed", "of the user\n")
	f := beginForward(t, repo, from, to)
	if err := f.Apply(); !errors.Is(err, ErrInTheWay) || !strings.Contains(err.Error(), "changed") {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if r.ReadFile("changed") != "of the user\n" || !r.Exists("removed") || LeftFastForward(repo) {
		t.Error("something was changed")
	}
}

// A fast-forward that is killed, before or after the branch moved, with some of its files written, is ended by the next one, also where
// somebody has committed meanwhile.
func TestKilledFastForward(t *testing.T) {
	for _, moved := range []bool{false, true} {
		for _, half := range []bool{false, true} {
			for _, later := range []bool{false, true} {
				endKilled(t, moved, half, later)
			}
		}
	}
}

func endKilled(t *testing.T, moved, half, later bool) {
	t.Helper()
	r, repo, from, to := twoCommits(t)
	f := beginForward(t, repo, from, to)
	if err := f.Apply(); err != nil {
		t.Fatal(err)
	}
	want := "1\n"
	if moved {
		r.Git("update-ref", "refs/heads/main", to, from)
		want = "2\n"
	}
	if half {
		r.Remove("d/added")
	}
	f.applied, f.noted = false, false
	if err := f.Close(); err != nil { // as if it were killed
		t.Fatal(err)
	}
	if later { // with the index as it is
		r.Git("update-ref", "refs/heads/main", r.Git("commit-tree", "-m", "later", "-p", "HEAD", "HEAD^{tree}"))
	}
	if !LeftFastForward(repo) {
		t.Fatal("nothing says that it was killed")
	}
	if _, err := RecoverFastForward(t.Context(), repo, "ralph/plan.jsonl", time.Minute); err != nil {
		t.Fatal(err)
	}
	if got := r.Git("status", "--porcelain"); got != usersChanges || r.ReadFile("changed") != want || r.Exists("removed") == moved {
		t.Errorf("moved %v, half %v, later %v:\n%s", moved, half, later, got)
	}
	if LeftFastForward(repo) {
		t.Error("a note is left")
	}
}
