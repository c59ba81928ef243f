package worktree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/test/gittest"
)

func open(t *testing.T, r *gittest.Repo) *Clean {
	t.Helper()
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Open(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func run(t *testing.T, c *Clean, r *gittest.Repo, line string) Result {
	t.Helper()
	result, err := c.Run(t.Context(), []string{"sh", "-c", line}, append(r.Env, "GIT_DIR=/nowhere"), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// A command sees the commit and nothing else: neither the user's uncommitted files nor what an earlier command left. The
// user's worktree, index and hooks have no part in it, and nothing is left at the end.
func TestClean(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r := gittest.NewRepo(t)
	r.WriteFile("a", "1\n")
	r.WriteFile(".gitignore", "built\n")
	r.WriteFile(".git/hooks/post-checkout", "#!/bin/sh\ntouch ran\n")
	if err := os.Chmod(r.Path(".git/hooks/post-checkout"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.Git("add", "a", ".gitignore")
	r.Git("commit", "-qm", "one")
	one := r.Git("rev-parse", "HEAD")
	r.WriteFile("a", "2\n")
	r.Git("commit", "-qam", "two")
	two := r.Git("rev-parse", "HEAD")
	r.WriteFile("a", "uncommitted\n")
	c := open(t, r)
	for _, commit := range []string{one, two, one} {
		if err := c.Checkout(t.Context(), commit); err != nil {
			t.Fatal(err)
		}
		want := r.Git("show", commit+":a")
		got := run(t, c, r, "cat a; git status --porcelain --ignored; ls ..; touch built x; echo y >a; git add x; echo bad >&2; exit 3")
		if text := string(got.Output); got.Exit != 3 || got.Passed() || !strings.Contains(text, "bad\n") || strings.Replace(text, "bad\n", "", 1) != want+"\n"+filepath.Base(r.Dir)+"\n" {
			t.Errorf("%s: %d, %q", commit, got.Exit, text)
		}
	}
	dir := c.Dir()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(dir)); err == nil || strings.Contains(r.Git("worktree", "list"), dir) {
		t.Error("the worktree was not deleted")
	}
	if r.Git("status", "--porcelain") != "M a" && r.Git("status", "--porcelain") != " M a" {
		t.Errorf("status: %q", r.Git("status", "--porcelain"))
	}
}

// A program that is named by its path is the commit's, not the one in the directory that the user is in.
func TestProgramOfCommit(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r := gittest.NewRepo(t)
	r.WriteFile("check.sh", "#!/bin/sh\necho commit\n")
	if err := os.Chmod(r.Path("check.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.Git("add", ".")
	r.Git("commit", "-qm", "one")
	r.WriteFile("check.sh", "#!/bin/sh\necho uncommitted\n")
	t.Chdir(r.Dir)
	c := open(t, r)
	defer c.Close()
	if err := c.Checkout(t.Context(), "HEAD"); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Run(t.Context(), []string{"./check.sh"}, r.Env, time.Minute); err != nil || string(got.Output) != "commit\n" {
		t.Errorf("%q, %v", got.Output, err)
	}
}

// What a killed process left is deleted by the next one; what another process uses is not.
func TestCleanAfterKill(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	r := gittest.NewRepo(t)
	r.Git("commit", "-q", "--allow-empty", "-m", "one")
	killed := open(t, r)
	if err := killed.Checkout(t.Context(), "HEAD"); err != nil {
		t.Fatal(err)
	}
	beside := open(t, r)
	if err := beside.Checkout(t.Context(), "HEAD"); err != nil {
		t.Fatal(err)
	}
	killed.lock.Release() //nolint:errcheck // as the end of the process does
	next := open(t, r)
	if err := next.Checkout(t.Context(), "HEAD"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(killed.Dir()); err == nil {
		t.Error("the killed process's worktree is still there")
	}
	if got := run(t, beside, r, "git rev-parse HEAD"); !got.Passed() {
		t.Errorf("the other's is gone: %s", got.Output)
	}
	for _, c := range []*Clean{next, beside} {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// A command that does not end is ended with everything that it started; of long output the beginning and the end are kept.
func TestRunLimits(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r := gittest.NewRepo(t)
	r.Git("commit", "-q", "--allow-empty", "-m", "one")
	c := open(t, r)
	defer c.Close()
	if err := c.Checkout(t.Context(), "HEAD"); err != nil {
		t.Fatal(err)
	}
	result, err := c.Run(t.Context(), []string{"sh", "-c", "sleep 600 & echo started; sleep 600"}, r.Env, 100*time.Millisecond)
	if err != nil || !result.TimedOut || result.Passed() {
		t.Errorf("%+v, %v", result, err)
	}
	long := run(t, c, r, "echo first; head -c 3000000 /dev/zero; echo last")
	if text := string(long.Output); len(text) != MaxOutput || long.Cut != 3000000+11-MaxOutput || !strings.HasPrefix(text, "first\n") || !strings.HasSuffix(text, "last\n") {
		t.Errorf("%d bytes, %d cut", len(long.Output), long.Cut)
	}
}

// The files say of each worktree that it is one, and of nothing else: not of a directory in it, of one that was removed, or of another repository at
// its place.
func TestIsAt(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("start", map[string]string{"dir/file": "1"})
	common := filepath.Join(r.Dir, ".git")
	linked := r.At("../linked").Dir
	r.Git("worktree", "add", "-q", linked)
	for dir, want := range map[string]bool{
		r.Dir: true, linked: true, filepath.Join(r.Dir, "dir"): false, filepath.Join(linked, "dir"): false, linked + "/": false, linked + "/../linked": false, "": false, ".": false, common: false,
	} {
		if IsAt(dir, common) != want {
			t.Errorf("%s: not %v", dir, want)
		}
	}
	r.Git("worktree", "remove", linked)
	if IsAt(linked, common) {
		t.Error("it was removed")
	}
	r.Git("clone", "-q", ".", linked)
	if IsAt(linked, common) {
		t.Error("another repository is at its place")
	}
	r.Git("worktree", "add", "-q", "../moved")
	if err := os.CopyFS(r.Path("../copy"), os.DirFS(r.Path("../moved"))); err != nil {
		t.Fatal(err)
	}
	if IsAt(r.At("../copy").Dir, common) {
		t.Error("a copy of a worktree")
	}
}
