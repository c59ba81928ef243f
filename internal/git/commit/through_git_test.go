package commit_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/test/gittest"
)

// What the index held before is reported, so that the caller can stop for a plan that the user has staged.
func TestIndexStates(t *testing.T) {
	for name, c := range map[string]struct {
		make  func(*gittest.Repo)
		state commit.IndexState
		text  string
	}{
		"same":     {func(*gittest.Repo) {}, commit.IndexSame, "old\n"},
		"staged":   {func(r *gittest.Repo) { r.WriteFile(plan, "staged\n"); r.Git("add", plan) }, commit.IndexOther, "staged\n"},
		"modified": {func(r *gittest.Repo) { r.WriteFile(plan, "on disk\n") }, commit.IndexSame, "old\n"},
		"removed":  {func(r *gittest.Repo) { r.Git("rm", "-q", "--cached", plan) }, commit.IndexAbsent, ""},
		"mode":     {func(r *gittest.Repo) { r.Git("update-index", "--chmod=+x", plan) }, commit.IndexOther, "old\n"},
		"intended": {func(r *gittest.Repo) { r.Git("rm", "-q", "--cached", plan); r.Git("add", "-N", plan) }, commit.IndexAbsent, ""},
		"unmerged": {func(r *gittest.Repo) {
			r.Git("checkout", "-q", "-b", "other")
			r.Commit("theirs", map[string]string{plan: "theirs\n"})
			r.Git("checkout", "-q", "main")
			r.Commit("ours", map[string]string{plan: "ours\n"})
			r.TryGit("merge", "other") //nolint:errcheck // it is meant to conflict
		}, commit.IndexUnmerged, ""},
	} {
		for _, split := range []string{"", "--split-index"} {
			t.Run(name+split, func(t *testing.T) {
				r := gittest.NewRepo(t)
				r.Commit("first", map[string]string{plan: "old\n"})
				if split != "" {
					r.Git("update-index", split)
				}
				c.make(r)
				tx := begin(t, r)
				if got := tx.Index().State; got != c.state {
					t.Errorf("state %v, want %v", got, c.state)
				}
				if text, ok, err := tx.IndexContent(); err != nil || ok != (c.text != "") || string(text) != c.text {
					t.Errorf("content %q, %v, %v", text, ok, err)
				}
			})
		}
	}
}

// ralph.commit=stage: the index only.
func TestStage(t *testing.T) {
	eachEnvironment(t, true, func(t *testing.T, r *gittest.Repo) {
		if !sparse(r) {
			dirty(r)
		}
		before, head := r.State(plan), r.Git("rev-parse", "HEAD")
		for _, content := range []string{"new\n", "newer\n"} {
			tx := begin(t, r)
			if !tx.Index().SkipWorktree {
				write(t, r, content)
			}
			if err := tx.Stage([]byte(content)); err != nil {
				t.Fatal(err)
			}
			if got := r.Git("cat-file", "--filters", ":"+plan); strings.TrimSuffix(got, "\r")+"\n" != content {
				t.Errorf("staged %q", got)
			}
		}
		if r.Git("rev-parse", "HEAD") != head {
			t.Error("HEAD moved")
		}
		// git 2.39 shows an excluded path all the same when a directory of a sparse index hides it
		if after := r.State(plan); after != before && !sparse(r) {
			t.Errorf("state changed from\n%v\nto\n%v", before, after)
		}
		r.Fsck()
	})
}

// A switch of branches that has written the index and not moved HEAD yet is waited for: the commit goes to the branch
// whose files are in the worktree. The wait is a short one, which a busy machine may oversleep: one of ten times will do.
func TestSettles(t *testing.T) {
	for range 10 {
		if beganOn(t) == "next" {
			return
		}
	}
	t.Error("began on the branch that was being left, ten times")
}

// beganOn returns the branch of a transaction that begins 20 ms before HEAD moves from main to next.
func beganOn(t *testing.T) string {
	r := gittest.NewRepo(t)
	r.Commit("first", map[string]string{plan: "old\n"})
	r.Git("branch", "next")
	index, head, next := filepath.Join(r.Dir, ".git", "index"), filepath.Join(r.Dir, ".git", "HEAD"), filepath.Join(r.Dir, ".git", "next-head")
	r.WriteFile(".git/next-head", "ref: refs/heads/next\n")
	moved := make(chan error, 1)
	repo, err := git.OpenWith(context.Background(), r.Dir, r.Env, git.Options{Step: func(step string) {
		if step == commit.StepLocked {
			now := time.Now() // a switch writes the index as the last thing before it moves HEAD
			if err := os.Chtimes(index, now, now); err != nil {
				t.Error(err)
			}
			time.AfterFunc(20*time.Millisecond, func() { moved <- os.Rename(next, head) })
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	tx, err := commit.Begin(context.Background(), repo, plan, lockTime)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	if err := <-moved; err != nil {
		t.Fatal(err)
	}
	return tx.Branch()
}

// Attribute files that cannot concern the plan cost nothing; those that may are honoured.
func TestAttributes(t *testing.T) {
	for name, c := range map[string]struct {
		attributes, want string
		hashed           bool
	}{
		"others":       {"*.png filter=lfs\nother filter=lfs\n# *.jsonl filter=lfs\n* text=auto eol=lf\n", "x\n", false},
		"extension":    {"*.jsonl filter=up\n", "X\n", true},
		"name":         {"plan.jsonl filter=up\n", "X\n", true},
		"directory":    {"ralph/** filter=up\n", "X\n", true},
		"macro":        {"[attr]loud filter=up\nralph/* loud\n", "X\n", true},
		"encoding":     {"*.jsonl text working-tree-encoding=UTF-8\n", "x\n", true},
		"not for this": {"/ralph/*.txt filter=up\n", "x\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			r.Git("config", "filter.up.clean", "tr a-z A-Z")
			r.Commit("first", map[string]string{".gitattributes": c.attributes, "ralph/other.txt": "x"})
			counted, count := r.CountProcesses()
			if err := change(mustOpen(t, counted), plan, "x\n", "m"); err != nil {
				t.Fatal(err)
			}
			if got := r.Git("cat-file", "blob", "HEAD:"+plan) + "\n"; got != c.want {
				t.Errorf("committed %q, want %q", got, c.want)
			}
			if got := strings.Contains(strings.Join(count.Started(), "\n"), "hash-object"); got != c.hashed {
				t.Errorf("git hashed: %v", got)
			}
			if got := r.Git("status", "--porcelain"); got != "" {
				t.Errorf("status %q", got)
			}
		})
	}
}

// ralph.verify and --with-staged: the user's own commit, hooks and all, of the plan alone or with what is staged.
func TestCommitThroughGit(t *testing.T) {
	for _, there := range []bool{true, false} {
		for _, withStaged := range []bool{true, false} {
			for _, refuse := range []bool{true, false} {
				t.Run(strings.Join([]string{"there", boolText(there), "staged", boolText(withStaged), "refuse", boolText(refuse)}, " "), func(t *testing.T) {
					commitThroughGit(t, there, withStaged, refuse)
				})
			}
		}
	}
}

func boolText(b bool) string { return map[bool]string{true: "yes", false: "no"}[b] }

func commitThroughGit(t *testing.T, there, withStaged, refuse bool) {
	r := gittest.NewRepo(t)
	files := map[string]string{"mine": "x\n"}
	if there {
		files[plan] = "old\n"
	}
	r.Commit("first", files)
	r.WriteFile("mine", "staged\n")
	r.Git("add", "mine")
	r.WriteFile(plan, "new\n")
	r.WriteFile(".git/hooks/pre-commit", "#!/bin/sh\necho hook says "+boolText(refuse)+" >&2\n"+map[bool]string{true: "exit 1\n", false: ""}[refuse])
	if err := os.Chmod(r.Path(".git/hooks/pre-commit"), 0o777); err != nil {
		t.Fatal(err)
	}
	before := r.Git("diff", "--cached", "--name-only")
	id, err := commit.ThroughGit(context.Background(), mustOpen(t, r), "message\n", commit.Options{WithStaged: withStaged}, plan)
	if refuse {
		if !errors.Is(err, commit.ErrCommitRefused) || !strings.Contains(err.Error(), "hook says yes") {
			t.Errorf("got %v", err)
		}
		if got := r.Git("diff", "--cached", "--name-only", "--", "mine"); got != before {
			t.Errorf("staged %q", got)
		}
		return
	}
	if err != nil || id != r.Git("rev-parse", "HEAD") {
		t.Fatalf("%s, %v", id, err)
	}
	want := plan
	if withStaged {
		want = "mine\n" + plan
	}
	if got := r.Git("diff", "--name-only", "HEAD~1", "HEAD"); got != want {
		t.Errorf("committed %q, want %q", got, want)
	}
}
