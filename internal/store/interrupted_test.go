//go:build unix

package store

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"git-ralph/internal/git"
	"git-ralph/internal/git/commit"
	"git-ralph/internal/plan"
	"git-ralph/internal/proc"
	"git-ralph/internal/test/gittest"
)

// TestMain lets the test binary play a mutation that is killed.
func TestMain(m *testing.M) {
	if step := os.Getenv("STORE_KILLED_AT"); step != "" {
		killedAt(step)
	}
	os.Exit(m.Run())
}

// doing requests that t-one1 becomes done.
func doing() Request {
	return Request{Do: func(p *plan.Plan, in Inputs) (plan.Change, error) {
		return p.Done([]string{"t-one1"}, plan.DoneOptions{Head: in.Head}, in.Stamp)
	}}
}

// killedAt makes t-one1 done and is killed as it reaches a step of git's.
func killedAt(step string) {
	ctx := context.Background()
	s, err := Open(ctx, Options{Dir: ".", Environ: os.Environ(), Now: func() time.Time { return noon }, Random: func(int) int { return 7 }})
	if err == nil {
		s.repo, err = git.OpenWith(ctx, ".", os.Environ(), git.Options{Step: func(reached string) {
			if reached == step {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		}})
	}
	if err == nil {
		_, err = s.Update(ctx, doing())
	}
	fmt.Fprintf(os.Stderr, "not killed at %s: %v", step, err)
	os.Exit(3)
}

// killed runs killedAt in another process.
func killed(t *testing.T, r *gittest.Repo, step string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	_, err = proc.Run(t.Context(), proc.Cmd{Name: exe, Dir: r.Dir, Env: append(slices.Clip(r.Env), "STORE_KILLED_AT="+step)})
	if proc.ExitCode(err) != -1 {
		t.Fatalf("not killed: %v", err)
	}
	gittest.Await(t, "the guard that removes the lock", func() bool { return !r.Exists(".git/index.lock") })
}

// docs/promises.md, "A crash": a mutation that was killed at any step is not taken for the user's edit. The next one makes
// its commit first, with the events that it would have had.
func TestKilledMutationIsFinished(t *testing.T) {
	for _, step := range commit.Steps() {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			r := gittest.NewRepo(t)
			newStore(t, r)
			killed(t, r, step)
			wrote := strings.Contains(r.ReadFile(DefaultPath), `"s": "d"`)
			committed := r.Git("show", "HEAD:"+DefaultPath)+"\n" == r.ReadFile(DefaultPath)
			s := open(t, r)
			if s.Interrupted() != wrote && !committed {
				t.Errorf("interrupted: %v, wrote: %v", s.Interrupted(), wrote)
			}
			res := s.mustUpdate(t, adding("next"))
			if !res.Committed || res.OwnEdits {
				t.Errorf("%+v", res)
			}
			want := "ralph: add t-next next\nplan"
			if wrote {
				want = "ralph: add t-next next\nralph: done t-one1 One\nplan"
			}
			if log := r.Git("log", "--format=%s"); log != want {
				t.Errorf("log %s", log)
			}
			if body := r.Git("log", "--format=%B"); strings.Contains(body, "updated") || strings.Count(body, "Ralph-Event: done t-one1 ") != strings.Count(want, "done t-one1") {
				t.Errorf("messages %s", body)
			}
			if r.Git("status", "--porcelain") != "" || r.Exists(".git/"+pendingFile) {
				t.Error("something is left")
			}
		})
	}
}

// Recover alone makes that commit, and nothing else; where the user has changed the file since, it leaves it alone.
func TestRecover(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	tip := r.Git("rev-parse", "HEAD")
	if res, err := s.Recover(t.Context()); err != nil || res.Committed {
		t.Errorf("nothing to recover: %+v, %v", res, err)
	}
	killed(t, r, commit.StepStaged)
	if res, err := s.Recover(t.Context()); err != nil || !res.Committed || r.Git("log", "-1", "--format=%s") != "ralph: done t-one1 One" {
		t.Errorf("%+v, %v", res, err)
	}
	r.Git("reset", "-q", "--hard", tip)
	killed(t, r, commit.StepStaged)
	mine := strings.Replace(r.ReadFile(DefaultPath), "One", "Mine", 1)
	r.WriteFile(DefaultPath, mine)
	if res, err := s.Recover(t.Context()); err != nil || res.Committed || r.ReadFile(DefaultPath) != mine || r.Git("rev-parse", "HEAD") != tip {
		t.Errorf("over the user's edit: %+v, %v", res, err)
	}
}

// What --no-commit left before a crash keeps its events, whether the killed mutation wrote the plan or not.
func TestPendingLogSurvivesCrash(t *testing.T) {
	for _, step := range []string{commit.StepCommit, commit.StepStaged} {
		t.Run(step, func(t *testing.T) {
			r := gittest.NewRepo(t)
			s := newStore(t, r)
			later := adding("early")
			later.NoCommit = true
			s.mustUpdate(t, later)
			killed(t, r, step)
			s.mustUpdate(t, adding("next"))
			body := r.Git("log", "--format=%B")
			if strings.Count(body, "added t-early ") != 1 || strings.Count(body, "added t-next ") != 1 || strings.Contains(body, "updated") {
				t.Errorf("messages %s", body)
			}
		})
	}
}

// TestCutLogIsRemoved guards: the temporary file of a log that a killed command was writing is removed by the next mutation;
// other files beside it stay.
func TestCutLogIsRemoved(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	r.WriteFile(".git/ralph/.pending.git-ralph-abc.tmp", "wro")
	r.WriteFile(".git/ralph/.other.git-ralph-abc.tmp", "x")
	s.mustUpdate(t, doing())
	for name, want := range map[string]bool{".pending.git-ralph-abc.tmp": false, ".other.git-ralph-abc.tmp": true} {
		if got := r.Exists(".git/ralph/" + name); got != want {
			t.Errorf("%s exists: %v", name, got)
		}
	}
}

// TestLeftLockIsRemoved guards: the lock of a mutation that was killed with its guard is removed; that of another git stays, and is not
// waited for.
func TestLeftLockIsRemoved(t *testing.T) {
	r := gittest.NewRepo(t)
	s := newStore(t, r)
	for content, left := range map[string]bool{"git-ralph 1 abc\n": false, "": true, "DIRC": true} {
		r.WriteFile(".git/index.lock", content)
		if err := s.RemoveLeftLock(t.Context()); err != nil || r.Exists(".git/index.lock") != left {
			t.Errorf("%q: left %v, want %v, error %v", content, !left, left, err)
		}
	}
}
