package commit_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/safefile"
	"git-ralph/internal/test/gittest"
)

const plan = "ralph/plan.jsonl"

// lockTime is how long tests wait for index.lock.
const lockTime = time.Minute

// change makes one commit of path the way the store does.
func change(repo *git.Repo, path, content, message string) error {
	ctx, cancel := context.WithTimeout(context.Background(), lockTime)
	defer cancel()
	tx, err := commit.Begin(ctx, repo, path, lockTime)
	if err != nil {
		return err
	}
	defer tx.Close()
	if err := tx.Prepare([]byte(content), message); err != nil {
		return err
	}
	if !tx.Index().SkipWorktree {
		if err := safefile.Write(repo.Root(), path, []byte(content), 0o666); err != nil {
			return err
		}
	}
	return tx.Publish()
}

// docs/promises.md, a mutation is one transaction: only the plan file is committed, and everything of the user's is
// after the commit as it was before, in the index and on disk.
func TestOnlyTheFile(t *testing.T) {
	for _, there := range []bool{true, false} {
		name := map[bool]string{true: "changed", false: "added"}[there]
		t.Run(name, func(t *testing.T) {
			eachEnvironment(t, there, func(t *testing.T, r *gittest.Repo) { onlyTheFile(t, r) })
		})
	}
}

func onlyTheFile(t *testing.T, r *gittest.Repo) {
	if !sparse(r) {
		dirty(r)
	}
	before, tracked := r.State(plan), r.Git("ls-files", "-v")
	for _, content := range []string{"new\n", "newer\n"} {
		head := r.Git("rev-parse", "HEAD")
		if err := change(mustOpen(t, r), plan, content, "ralph: add t-1234 ü\n\nbody\n"); err != nil {
			t.Fatal(err)
		}
		if got := r.Git("rev-parse", "HEAD~1"); got != head {
			t.Errorf("parent is %s, want %s", got, head)
		}
		if got := r.Git("diff", "--name-only", "HEAD~1", "HEAD"); got != plan {
			t.Errorf("commit changes %q", got)
		}
		if got := r.Git("cat-file", "--filters", "HEAD:"+plan); strings.TrimSuffix(got, "\r")+"\n" != content {
			t.Errorf("committed %q", got)
		}
		if got := r.Git("log", "-1", "--format=%an <%ae> %cn %B"); !strings.HasPrefix(got, "A U Thor <author@example.com> A U Thor ralph: add t-1234 ü\n\nbody") {
			t.Errorf("commit says %q", got)
		}
		if got := r.Git("reflog", "-1", "--format=%gs"); got != "commit: ralph: add t-1234 ü" {
			t.Errorf("reflog says %q", got)
		}
	}
	unchanged(t, r, before)
	if now := r.Git("ls-files", "-v"); sparse(r) && strings.Contains(tracked, plan) && now != tracked {
		t.Errorf("bits of the index changed:\n%s\nwas:\n%s", now, tracked)
	}
	r.Fsck()
}

func sparse(r *gittest.Repo) bool {
	out, _ := r.TryGit("config", "core.sparseCheckout")
	return out == "true"
}

// unchanged checks that the user's state is as before and that git need not look at the plan file again.
func unchanged(t *testing.T, r *gittest.Repo, before gittest.State) {
	t.Helper()
	if after := r.State(plan); after != before {
		t.Errorf("state changed from\n%v\nto\n%v", before, after)
	}
	if out, err := r.TryGit("diff-files", "--quiet", "--", plan); err != nil {
		t.Errorf("diff-files: %v %s", err, out)
	}
	if out, err := r.TryGit("diff-index", "--cached", "--quiet", "HEAD", "--", plan); err != nil {
		t.Errorf("diff-index: %v %s", err, out)
	}
	entries, err := os.ReadDir(strings.TrimSuffix(mustOpen(t, r).IndexPath(), "index"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "index.") {
			t.Errorf("%s was left", e.Name())
		}
	}
}

// A sparse checkout keeps the file out of the worktree: the index speaks for it.
func TestSkippedFile(t *testing.T) {
	eachEnvironment(t, true, func(t *testing.T, r *gittest.Repo) {
		data, ok, err := commit.SkippedFile(context.Background(), mustOpen(t, r), plan)
		if want := !r.Exists(plan); err != nil || ok != want || ok && string(data) != "old\n" {
			t.Errorf("%q, %v, %v", data, ok, err)
		}
	})
}

func TestUnborn(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			r := gittest.NewRepo(t, "--object-format="+format)
			r.WriteFile("mine", "x")
			r.Git("add", "mine")
			if err := change(mustOpen(t, r), plan, "new\n", "ralph: init"); err != nil {
				t.Fatal(err)
			}
			if got := r.Git("status", "--porcelain"); got != "A  mine" {
				t.Errorf("status %q", got)
			}
			if got := r.Git("reflog", "-1", "--format=%gs"); got != "commit (initial): ralph: init" {
				t.Errorf("reflog says %q", got)
			}
			r.Fsck()
		})
	}
}

func TestUnbornWithoutIndex(t *testing.T) {
	r := gittest.NewRepo(t)
	if err := change(mustOpen(t, r), "-plan ü", "new\n", "first"); err != nil {
		t.Fatal(err)
	}
	if got := r.Git("status", "--porcelain") + r.Git("ls-tree", "-r", "-z", "--name-only", "HEAD"); got != "-plan ü\x00" {
		t.Errorf("got %q", got)
	}
}

func TestNothingToCommit(t *testing.T) {
	r := gittest.NewRepo(t)
	head := r.Commit("first", map[string]string{plan: "old\n"})
	if err := change(mustOpen(t, r), plan, "old\n", "again"); !errors.Is(err, commit.ErrNothingToCommit) {
		t.Errorf("got %v", err)
	}
	if r.Git("rev-parse", "HEAD") != head {
		t.Error("HEAD moved")
	}
}

func TestBeginRefuses(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("first", map[string]string{"ralph": "a file\n", "dir/x": "x"})
	repo := mustOpen(t, r)
	for path, want := range map[string]error{
		"ralph/plan.jsonl": commit.ErrPathBlocked, "dir": commit.ErrPathBlocked,
		"../x": commit.ErrBadPath, "/x": commit.ErrBadPath, "": commit.ErrBadPath, "a//b": commit.ErrBadPath, "a\nb": commit.ErrBadPath,
	} {
		if err := change(repo, path, "new\n", "m"); !errors.Is(err, want) {
			t.Errorf("%q: %v", path, err)
		}
	}
	bare := r.At("../bare")
	r.Git("clone", "-q", "--bare", r.Dir, bare.Dir)
	if err := change(mustOpen(t, bare), plan, "new\n", "m"); !errors.Is(err, git.ErrBare) {
		t.Errorf("bare: %v", err)
	}
	unchanged(t, r, r.State(plan))
}

// docs/promises.md: at most six processes for an unsigned change in a sha1 repository without filters.
func TestProcessCount(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("first", map[string]string{plan: "old\n", ".gitattributes": "*.png filter=lfs\n* text=auto\n"})
	counted, count := r.CountProcesses()
	repo := mustOpen(t, counted)
	if got := count.Started(); got != nil {
		t.Errorf("opening started %v", got)
	}
	if err := change(repo, plan, "new\n", "m"); err != nil {
		t.Fatal(err)
	}
	if got := count.Started(); len(got) > 5 {
		t.Errorf("%d processes: %s", len(got), strings.Join(got, "\n"))
	}
}

func begin(t *testing.T, r *gittest.Repo) *commit.Tx {
	t.Helper()
	tx, err := commit.Begin(context.Background(), mustOpen(t, r), plan, lockTime)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tx.Close)
	return tx
}

func write(t *testing.T, r *gittest.Repo, content string) {
	t.Helper()
	if err := safefile.Write(r.Dir, plan, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func unchangedLocks(t *testing.T, r *gittest.Repo) {
	t.Helper()
	for _, name := range []string{"index.lock", "HEAD.lock", "refs/heads/main.lock"} {
		if r.Exists(".git/" + name) {
			t.Errorf("%s is left", name)
		}
	}
}

func mustOpen(t testing.TB, r *gittest.Repo) *git.Repo {
	t.Helper()
	repo, err := git.Open(context.Background(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}
