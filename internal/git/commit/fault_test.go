//go:build unix

package commit_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/proc"
	"git-ralph/internal/test/gittest"
)

// TestMain lets the test binary play another process of git-ralph.
func TestMain(m *testing.M) {
	switch os.Getenv("GIT_TEST_CHILD") {
	case "kill":
		killedAt(os.Getenv("GIT_TEST_STEP"))
	case "many":
		changeMany()
	default:
		os.Exit(m.Run())
	}
}

func childRepo(options git.Options) *git.Repo {
	repo, err := git.OpenWith(context.Background(), ".", os.Environ(), options)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	return repo
}

// killedAt changes the plan and is killed as it reaches a step.
func killedAt(step string) {
	repo := childRepo(git.Options{Step: func(s string) {
		if s == step {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}})
	if err := change(repo, plan, "new\n", "ralph: change"); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func child(t *testing.T, r *gittest.Repo, env ...string) (string, error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	res, err := proc.Run(context.Background(), proc.Cmd{Name: exe, Dir: r.Dir, Env: append(slices.Clip(r.Env), env...)})
	return string(res.Stdout) + string(res.Stderr), err
}

// docs/promises.md: a crash leaves the old state, the new one, or the file written or staged and not committed; never
// a lock, and nothing of the user's is touched.
func TestKilledAtEveryStep(t *testing.T) {
	for _, step := range commit.Steps() {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			r := gittest.NewRepo(t)
			files := gittest.UserFiles()
			files[plan] = "old\n"
			head := r.Commit("first", files)
			dirty(r)
			before := r.State(plan)
			out, err := child(t, r, "GIT_TEST_CHILD=kill", "GIT_TEST_STEP="+step)
			var pe *proc.Error
			if !errors.As(err, &pe) || pe.Code != -1 {
				t.Fatalf("not killed: %v %s", err, out)
			}
			waitUnlocked(t, r)
			if after := r.State(plan); after != before {
				t.Errorf("state changed from\n%v\nto\n%v", before, after)
			}
			r.Fsck()
			allowed(t, r, head)
			if err := change(mustOpen(t, r), plan, "newer\n", "ralph: next"); err != nil {
				t.Fatalf("next change: %v", err)
			}
			unchanged(t, r, before)
		})
	}
}

func waitUnlocked(t *testing.T, r *gittest.Repo) {
	t.Helper()
	for _, lock := range []string{".git/index.lock", ".git/HEAD.lock", ".git/refs/heads/main.lock"} { // a git that we started may still be ending
		gittest.Await(t, "the end of "+lock, func() bool { return !r.Exists(lock) })
	}
}

// allowed checks that HEAD, index and file are old or new, and that none is ahead of the one before it.
func allowed(t *testing.T, r *gittest.Repo, head string) {
	t.Helper()
	committed, staged, written := r.Git("show", "HEAD:"+plan) == "new", r.Git("show", ":"+plan) == "new", r.ReadFile(plan) == "new\n"
	if committed && !staged || staged && !written {
		t.Errorf("committed %v, staged %v, written %v", committed, staged, written)
	}
	if !committed && r.Git("rev-parse", "HEAD") != head {
		t.Error("HEAD moved to something else")
	}
}

// A lock that a killed process of ours left, its guard killed too, is taken over; one of another git is not.
func TestLeftLock(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("first", map[string]string{plan: "old\n"})
	r.WriteFile(".git/index.lock", "git-ralph 1 abc\n")
	r.WriteFile(".git/index.ralph-abc", "rubbish")
	if err := change(mustOpen(t, r), plan, "new\n", "m"); err != nil {
		t.Fatal(err)
	}
	r.WriteFile(".git/index.lock", "DIRC")
	_, err := commit.Begin(context.Background(), mustOpen(t, r), plan, 30*time.Millisecond)
	var locked *commit.LockedError
	if !errors.As(err, &locked) || !strings.Contains(err.Error(), "index.lock") || locked.Hint() == "" {
		t.Errorf("got %v", err)
	}
	if r.ReadFile(".git/index.lock") != "DIRC" {
		t.Error("another's lock was touched")
	}
	r.Remove(".git/index.lock")
	unchanged(t, r, r.State(plan))
}

// docs/promises.md: the branch moves by compare-and-swap; on a lost race nothing is published.
func TestLostRaces(t *testing.T) {
	for name, interfere := range map[string]func(*gittest.Repo){
		"branch moved":  func(r *gittest.Repo) { r.Git("update-ref", "refs/heads/main", r.Git("rev-parse", "other")) },
		"HEAD switched": func(r *gittest.Repo) { r.Git("symbolic-ref", "HEAD", "refs/heads/same") },
		"HEAD detached": func(r *gittest.Repo) { r.Git("update-ref", "--no-deref", "HEAD", r.Git("rev-parse", "other")) },
	} {
		t.Run(name, func(t *testing.T) {
			r := gittest.NewRepo(t)
			head := r.Commit("first", map[string]string{plan: "old\n", "mine": "x\n"})
			r.Git("branch", "same")
			r.Git("update-ref", "refs/heads/other", r.Git("commit-tree", "-p", head, "-m", "other", "HEAD^{tree}"))
			index := r.ReadFile(".git/index")
			tx := begin(t, r)
			if err := tx.Prepare([]byte("new\n"), "m"); err != nil {
				t.Fatal(err)
			}
			interfere(r)
			write(t, r, "new\n")
			if err := tx.Publish(); !errors.Is(err, commit.ErrHeadMoved) {
				t.Fatalf("got %v", err)
			}
			if r.ReadFile(".git/index") != index {
				t.Error("the index is not as it was")
			}
			if got := r.Git("log", "--all", "--format=%s", "--", plan); got != "first" {
				t.Errorf("history of the plan: %s", got)
			}
			if r.Exists(".git/index.lock") || r.Exists(".git/refs/heads/main.lock") || r.Exists(".git/HEAD.lock") {
				t.Error("a lock is left")
			}
		})
	}
}

// The user edits the file between its writing and its staging: their edit is not committed under our message.
func TestFileChangedMeanwhile(t *testing.T) {
	r := gittest.NewRepo(t)
	head := r.Commit("first", map[string]string{plan: "old\n"})
	tx := begin(t, r)
	if err := tx.Prepare([]byte("new\n"), "m"); err != nil {
		t.Fatal(err)
	}
	write(t, r, "edited\n")
	if err := tx.Publish(); !errors.Is(err, commit.ErrFileChanged) {
		t.Errorf("got %v", err)
	}
	if r.Git("rev-parse", "HEAD") != head || r.Git("diff", "--cached") != "" {
		t.Error("something was published")
	}
}

// A cancelled context ends the transaction with nothing left, wherever it is.
func TestCancelled(t *testing.T) {
	for _, step := range []string{commit.StepGuard, commit.StepLocked, commit.StepRead, commit.StepObjects, commit.StepCommit, commit.StepStaged} {
		t.Run(step, func(t *testing.T) {
			r := gittest.NewRepo(t)
			r.Commit("first", map[string]string{plan: "old\n"})
			ctx, cancel := context.WithCancel(context.Background())
			repo, err := git.OpenWith(ctx, r.Dir, r.Env, git.Options{Step: func(s string) {
				if s == step {
					cancel()
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			err = func() error {
				tx, err := commit.Begin(ctx, repo, plan, lockTime)
				if err != nil {
					return err
				}
				defer tx.Close()
				if err := tx.Prepare([]byte("new\n"), "m"); err != nil {
					return err
				}
				write(t, r, "new\n")
				return tx.Publish()
			}()
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			unchangedLocks(t, r)
			if (err == nil) != (r.Git("show", "HEAD:"+plan) == "new") {
				t.Errorf("error %v, but HEAD holds %q", err, r.Git("show", "HEAD:"+plan))
			}
		})
	}
}

// A git before 2.34 keeps its answers to itself until it ends. The compare-and-swap holds there too, and a lost race
// puts the index back.
func TestSilentGit(t *testing.T) {
	for _, race := range []bool{false, true} {
		t.Run(map[bool]string{false: "plain", true: "lost race"}[race], func(t *testing.T) {
			t.Parallel()
			r := gittest.NewRepo(t)
			head := r.Commit("first", map[string]string{plan: "old\n", "mine": "x\n"})
			real, err := proc.LookPath("git", r.Env)
			if err != nil {
				t.Fatal(err)
			}
			r.WriteFile("../bin/git", "#!/bin/sh\ncase $1 in\nupdate-ref) out=$('"+real+"' \"$@\"); rc=$?; echo \"$out\"; exit $rc ;;\n*) exec '"+real+"' \"$@\" ;;\nesac\n")
			if err := os.Chmod(r.Path("../bin/git"), 0o777); err != nil {
				t.Fatal(err)
			}
			index := r.ReadFile(".git/index")
			tx := begin(t, r.Setenv("PATH", r.Path("../bin")+":"+r.Getenv("PATH")))
			if err := tx.Prepare([]byte("new\n"), "m"); err != nil {
				t.Fatal(err)
			}
			write(t, r, "new\n")
			if race {
				r.Git("update-ref", "refs/heads/main", r.Git("commit-tree", "-p", head, "-m", "other", "HEAD^{tree}"))
			}
			err = tx.Publish()
			if race {
				if !errors.Is(err, commit.ErrHeadMoved) || r.ReadFile(".git/index") != index {
					t.Errorf("got %v; or the index is not as it was", err)
				}
			} else if err != nil || r.Git("status", "--porcelain") != "" || r.Git("show", "HEAD:"+plan) != "new" {
				t.Errorf("got %v, status %q", err, r.Git("status", "--porcelain"))
			}
			unchangedLocks(t, r)
		})
	}
}
