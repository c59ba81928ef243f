package git_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"git-ralph/internal/git"
	"git-ralph/internal/test/gittest"
)

func opened(t *testing.T, r *gittest.Repo) *git.Repo {
	t.Helper()
	repo, err := git.Open(context.Background(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	return repo
}

// TestChanges guards: what differs from HEAD is listed by its name, whatever that holds, and what git does not know is
// listed apart.
func TestChanges(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("first", map[string]string{"a": "1", "b c": "1", "d/e": "1\n2\n3\n", "gone": "1", ".gitignore": "ignored\n"})
	r.WriteFile("a", "2")
	r.WriteFile("b c", "2")
	r.Git("add", "b c")
	r.Git("mv", "d/e", "d/ü")
	r.Remove("gone")
	r.WriteFile("new/x", "1")
	r.WriteFile("new/y", "1")
	r.WriteFile("ignored", "1")
	repo := opened(t, r)
	got, err := repo.Changes(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := map[git.Change]bool{
		{Path: "a"}: true, {Path: "b c"}: true, {Path: "d/ü"}: true, {Path: "d/e"}: true, {Path: "gone"}: true, {Path: "new/", Untracked: true}: true,
	}
	found := map[git.Change]bool{}
	for _, c := range got {
		found[c] = true
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
	if got, err = repo.Changes(context.Background(), "new", "ignored", "*"); err != nil || len(got) != 2 || got[0].Path != "new/x" {
		t.Errorf("%v %v", got, err)
	}
}

// TestChangesLeavesTheIndex guards: looking takes no lock that would keep the user, or an agent, from a commit. What git would
// note of files while it looks stays unnoted.
func TestChangesLeavesTheIndex(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("first", map[string]string{"a": "1"})
	if err := os.Chtimes(filepath.Join(r.Dir, "a"), time.Time{}, time.Unix(1e9, 0)); err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(r.Dir, ".git", "index")
	before, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := opened(t, r).Changes(context.Background()); err != nil || len(got) > 0 {
		t.Errorf("%v %v", got, err)
	}
	if after, err := os.ReadFile(index); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the index was written: %v", err)
	}
}

// TestHeadAndCount guards: HEAD is found on any kind of branch, and commits are counted only where one follows the
// other.
func TestHeadAndCount(t *testing.T) {
	r := gittest.NewRepo(t)
	ctx, repo := context.Background(), opened(t, r)
	if id, err := repo.Head(ctx); id != "" || err != nil {
		t.Errorf("unborn: %q %v", id, err)
	}
	first := r.Commit("first", map[string]string{"a": "1"})
	r.Commit("second", map[string]string{"a": "2"})
	third := r.Commit("third", map[string]string{"a": "3"})
	for _, prepare := range [][]string{{"status"}, {"pack-refs", "--all"}, {"checkout", "-q", "--detach"}} {
		r.Git(prepare...)
		if id, err := repo.Head(ctx); id != third || err != nil {
			t.Errorf("%v: %q %v", prepare, id, err)
		}
		if id, err := repo.IDAt(ctx, "refs/heads/main"); id != third || err != nil {
			t.Errorf("%v: %q %v", prepare, id, err)
		}
		if id, err := repo.IDAt(ctx, "refs/heads/none"); id != "" || err != nil {
			t.Errorf("%v: %q %v", prepare, id, err)
		}
	}
	if n, err := repo.CountCommits(ctx, first, third); n != 2 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	if n, err := repo.CountCommits(ctx, "", third); n != 3 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	if _, err := repo.CountCommits(ctx, third, first); !errors.Is(err, git.ErrNotAncestor) {
		t.Errorf("%v", err)
	}
	r.Git("checkout", "-q", "-b", "side", first)
	side := r.Commit("side", map[string]string{"b": "1"})
	if _, err := repo.CountCommits(ctx, third, side); !errors.Is(err, git.ErrNotAncestor) {
		t.Errorf("beside: %v", err)
	}
	r.Git("merge", "-q", "-m", "merge", third)
	merged := r.Git("rev-parse", "HEAD")
	for _, prepare := range [][]string{{"status"}, {"gc", "-q"}} { // all loose, then all packed
		r.Git(prepare...)
		if n, err := repo.CountCommits(ctx, third, merged); n != 2 || err != nil {
			t.Errorf("%v, over a merge: %d %v", prepare, n, err)
		}
		if n, err := repo.CountCommits(ctx, first, side); n != 1 || err != nil {
			t.Errorf("%v: %d %v", prepare, n, err)
		}
	}
}
