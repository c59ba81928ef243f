package commit_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/git/commit"
	"git-ralph/internal/test/gittest"
)

// manyFiles fills a repository with n files of long names, and returns their paths and how git takes them.
func manyFiles(t *testing.T, n int) (*gittest.Repo, []string) {
	t.Helper()
	r := gittest.NewRepo(t)
	r.Git("config", "gc.auto", "0")
	deep := strings.Repeat("long", 40)
	paths := make([]string, n)
	for i := range paths {
		paths[i] = fmt.Sprintf("d%d/%s/f%d", i/100, deep, i)
		r.WriteFile(paths[i], "1\n")
	}
	r.WriteFile("mine", "1\n")
	r.Git("add", "-A")
	r.Git("commit", "-q", "-m", "first")
	for _, p := range paths {
		r.WriteFile(p, "2\n")
	}
	return r, paths
}

// TestCommitsManyFiles guards: more files than a command line has room for are listed, and committed alone, whatever else is
// staged. With RALPH_MANY=12000 it is measured beside git.
func TestCommitsManyFiles(t *testing.T) {
	n := 1200
	if value := os.Getenv("RALPH_MANY"); value != "" {
		fmt.Sscan(value, &n) //nolint:errcheck // the number of files is logged
	}
	r, paths := manyFiles(t, n)
	r.WriteFile("mine", "2\n")
	r.Git("add", "mine")
	counted, count := r.CountProcesses()
	repo := mustOpen(t, counted)
	began := time.Now()
	changes, err := repo.Changes(context.Background(), append(paths, "d0")...)
	if err != nil || len(changes) != n {
		t.Fatalf("%d changes, %v", len(changes), err)
	}
	if _, err := commit.ThroughGit(context.Background(), repo, "m\n", commit.Options{Wait: lockTime}, paths...); err != nil {
		t.Fatal(err)
	}
	ours := time.Since(began)
	if got := r.Git("diff", "--cached", "--name-only"); got != "mine" {
		t.Errorf("staged %s", got)
	}
	if got := strings.Count(r.Git("show", "--format=", "--name-only"), "\n") + 1; got != n {
		t.Errorf("committed %d", got)
	}
	if held, err := repo.PathsIn(context.Background(), "HEAD", append(paths, "none")); err != nil || len(held) != n {
		t.Errorf("HEAD holds %d, %v", len(held), err)
	}
	for _, line := range count.Started() {
		if len(line) > 32<<10 { // what Windows takes; 12,000 such files are too much for Linux too
			t.Errorf("a command line of %d bytes: %.100s…", len(line), line)
		}
	}
	if os.Getenv("RALPH_MANY") == "" {
		return
	}
	for _, p := range paths {
		r.WriteFile(p, "3\n")
	}
	began = time.Now()
	r.Git("add", "-A")
	r.Git("commit", "-q", "-m", "git's")
	t.Logf("%d files: %v, git add and git commit %v, ratio %.2f", n, ours, time.Since(began), float64(ours)/float64(time.Since(began)))
}
