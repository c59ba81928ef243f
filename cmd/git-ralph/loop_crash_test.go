//go:build unix

package main

import (
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// changesTracked is an agent that changes a tracked file and reports that its task is done.
const changesTracked = "BUILD\n  write tracked changed\n  report {\"verdict\": \"done\"}\nalways BUILD\n  report {\"verdict\": \"done\"}\nVERIFY\n  pass\n"

func newCrash(t *testing.T, tasks ...string) *workshop {
	t.Helper()
	w := newWorkshop(t, changesTracked, tasks...)
	w.WriteFile("tracked", "text\n")
	w.Git("add", "tracked")
	w.Git("commit", "-q", "-m", "tracked")
	return w
}

func (w *workshop) hook(name, script string) {
	w.t.Helper()
	w.WriteFile(".git/hooks/"+name, "#!/bin/sh\n"+script+"\n")
	if err := os.Chmod(w.Path(".git/hooks/"+name), 0o777); err != nil {
		w.t.Fatal(err)
	}
}

// hangs is a hook that does not end by itself, the first time.
const hangs = "[ -e ../hook ] && exit 0\necho $$ >../hook\nsleep 1000"

// recovered checks that the next run commits code and plan together, and leaves nothing.
func (w *workshop) recovered() {
	w.t.Helper()
	b := w.build()
	if code := b.code(); code != 0 {
		w.t.Fatalf("the next run ends with %d\n%s", code, &b.out)
	}
	if got := w.Git("log", "--format=", "--name-only", "--full-diff", "-1", "--", "tracked"); got != "ralph/plan.jsonl\ntracked" {
		w.t.Errorf("committed %q", got)
	}
	if got := w.Git("status", "--porcelain"); got != "" {
		w.t.Errorf("left %s", got)
	}
	for _, name := range []string{".git/index.lock", ".git/HEAD.lock", ".git/refs/heads/main.lock", ".git/ralph/commit.json"} {
		if w.Exists(name) {
			w.t.Errorf("%s is left", name)
		}
	}
	w.Fsck()
	w.reported("done t-one", "accepted t-one")
}

// TestHangingHookIsEnded guards: a git command that takes longer than ralph.gitTimeout is ended with the hook that it runs;
// what was not committed is reported, and the next run commits it.
func TestHangingHookIsEnded(t *testing.T) {
	t.Parallel()
	w := newCrash(t, "one")
	w.Git("config", "ralph.gitTimeout", "1s")
	w.hook("pre-commit", hangs)
	b := w.build()
	if code := b.code(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{"git commit took too long and was ended, after 1s", "left uncommitted: tracked"} {
		if !strings.Contains(b.out.String(), want) {
			t.Errorf("no %q in\n%s", want, &b.out)
		}
	}
	if running(w.await("hook")) {
		t.Error("the hook goes on")
	}
	if got := w.ralph("task", "show", "t-one"); !strings.Contains(got, `"s": "p"`) {
		t.Errorf("what is in no commit is done: %s", got)
	}
	w.Git("config", "--unset", "ralph.gitTimeout")
	w.recovered()
}

// TestSecondInterruptEndsHook guards: a second Ctrl-C ends a commit whose hook hangs; the next run makes up for it.
func TestSecondInterruptEndsHook(t *testing.T) {
	t.Parallel()
	w := newCrash(t, "one")
	w.WriteFile("../scenario", "BUILD\n  run echo >../agent; while [ ! -e ../go ]; do sleep 0.02; done\n"+strings.TrimPrefix(changesTracked, "BUILD\n"))
	w.hook("pre-commit", hangs)
	b := w.build()
	w.await("agent")
	b.interruptOnce(t)
	w.WriteFile("../go", "")
	hook := w.await("hook")
	b.Process.Signal(os.Interrupt)
	if code := b.code(); code != 130 || !strings.Contains(b.out.String(), "left uncommitted: tracked") {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	if running(hook) {
		t.Error("the hook goes on")
	}
	w.recovered()
}

// killed waits until a hook of the loop's git command runs, kills loop, git and hook, and checks that git left locks.
func (w *workshop) killed(b *build, locks ...string) {
	w.t.Helper()
	hook := w.await("hook")
	group, err := syscall.Getpgid(hook)
	if err != nil || group == b.Process.Pid {
		w.t.Fatalf("git runs in the group %d: %v", group, err)
	}
	b.Process.Kill()
	syscall.Kill(-group, syscall.SIGKILL)
	b.Wait() //nolint:errcheck // killed
	for running(hook) {
		time.Sleep(time.Millisecond)
	}
	for _, lock := range locks {
		if !w.Exists(lock) {
			w.t.Errorf("git left no %s", lock)
		}
	}
}

// TestKilledCommitIsFinished guards: whatever a SIGKILL of loop and git leaves of a commit of ours is removed, and the next run
// finishes the commit, with no manual step.
func TestKilledCommitIsFinished(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells that no other git is at work")
	}
	for name, c := range map[string]struct {
		hook, script string
		locks        []string
	}{
		"pre-commit":            {"pre-commit", hangs, []string{".git/index.lock"}},
		"reference-transaction": {"reference-transaction", `[ "$1" = prepared ] && grep -q refs/heads/main && [ -n "$GIT_RALPH_COMMITTING" ] || exit 0` + "\n" + hangs, []string{".git/index.lock", ".git/HEAD.lock", ".git/refs/heads/main.lock"}},
		"post-commit":           {"post-commit", hangs, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCrash(t, "one")
			w.hook(c.hook, c.script)
			w.killed(w.build(), c.locks...)
			w.recovered()
		})
	}
}

// TestKilledTransactionIsRecovered guards the same for a commit of the plan alone.
func TestKilledTransactionIsRecovered(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells that no other git is at work")
	}
	w := newWorkshop(t, "always BUILD\n  report {\"verdict\": \"done\"}\nVERIFY\n  pass\n", "one")
	w.hook("reference-transaction", `[ "$1" = prepared ] && grep -q refs/heads/main || exit 0`+"\n"+hangs)
	w.killed(w.build(), ".git/HEAD.lock", ".git/refs/heads/main.lock")
	b := w.build("--commit-plan")
	if code := b.code(); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &b.out)
	}
	if got := w.Git("status", "--porcelain"); got != "" {
		t.Errorf("left %s", got)
	}
	w.Fsck()
}

// TestRecoveryLeavesOthers guards: what a build ends that a killed one left while it recovered the run before is its own
// repository's; a recovery in another one goes on.
func TestRecoveryLeavesOthers(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells the environment of others")
	}
	const waits = "echo $$ >../hook\nwhile [ ! -e ../go ]; do sleep 0.02; done"
	recovering := func() (*workshop, *build) {
		w := newCrash(t, "one")
		w.hook("pre-commit", waits)
		w.killed(w.build())
		w.Remove("../hook")
		b := w.build()
		w.await("hook")
		return w, b
	}
	other, recovers := recovering()
	w, b := recovering()
	b.Process.Kill()
	b.Wait() //nolint:errcheck // killed
	w.WriteFile("../go", "")
	w.recovered()
	other.WriteFile("../go", "")
	if code := recovers.code(); code != 0 {
		t.Errorf("the other's ends with %d\n%s", code, &recovers.out)
	}
}

// TestOthersLocksStay guards: a lock file that is not known to be of a run that is gone is named with the command that helps,
// and never removed.
func TestOthersLocksStay(t *testing.T) {
	t.Parallel()
	w := newCrash(t, "one")
	w.Git("config", "ralph.lockTimeout", "100ms")
	w.WriteFile(".git/index.lock", "")
	b := w.build()
	if code := b.code(); code != 4 || !strings.Contains(b.out.String(), "`rm -f '"+w.Path(".git/index.lock")+"'`") {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	if !w.Exists(".git/index.lock") {
		t.Error("it was removed")
	}
}

// TestLockBesideLivingGit guards: while any git works here, no lock file is taken for a dead one's.
func TestLockBesideLivingGit(t *testing.T) {
	t.Parallel()
	w := newCrash(t, "one")
	w.Git("config", "ralph.lockTimeout", "100ms")
	w.hook("pre-commit", hangs)
	w.killed(w.build(), ".git/index.lock")
	living := w.command() // the user's: it reads until its input ends
	living.Path, living.Args = gitProgram(t), []string{"git", "cat-file", "--batch"}
	in, err := living.StdinPipe()
	if err != nil || living.Start() != nil {
		t.Fatal(err)
	}
	b := w.build()
	if code := b.code(); code != 4 || !w.Exists(".git/index.lock") {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	in.Close()
	living.Wait() //nolint:errcheck // it ends with its input
}

// TestCrashWhileHookRefuses guards: after a SIGKILL while a hook refuses the commit, the plan does not show code as done that
// is in no commit, and the next agent gets the reason.
func TestCrashWhileHookRefuses(t *testing.T) {
	t.Parallel()
	w := newCrash(t, "one")
	w.hook("pre-commit", "[ -e ../hook ] && { echo not this code >&2; exit 1; }\n"+hangs)
	w.killed(w.build())
	b := w.build("--max-iterations", "1")
	if code := b.code(); code != 6 || !strings.Contains(b.out.String(), "so t-one is not done: git refuses to commit: not this code") {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	if got := w.ralph("task", "show", "t-one"); !strings.Contains(got, `"s": "p"`) || !strings.Contains(got, "not this code") {
		t.Errorf("%s", got)
	}
	if got := w.Git("status", "--porcelain"); got != " M tracked" {
		t.Errorf("left %q", got)
	}
	w.Remove(".git/hooks/pre-commit")
	b = w.build()
	if code := b.code(); code != 0 || w.Git("status", "--porcelain") != "" {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
}
