//go:build unix

package main

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// receiveHangup lets what a test starts receive SIGHUP from a terminal that is closed, also where the tests were started to survive one:
// a signal that is ignored stays so in children, one that is listened to does not.
func receiveHangup(t *testing.T) {
	t.Helper()
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(heard) })
}

// untouched fails the test where a run that was ended left something: a process, a lock, a file, a change of the plan.
func (w *workshop) untouched(head string, pids ...int) {
	w.t.Helper()
	for _, pid := range pids {
		if running(pid) {
			w.t.Errorf("process %d lives", pid)
		}
	}
	if after := w.Git("rev-parse", "HEAD"); after != head {
		w.t.Error("something was committed")
	}
	if got := w.Git("status", "--porcelain"); got != "" {
		w.t.Errorf("left %s", got)
	}
	if got := w.ralph("query", "next"); !strings.Contains(got, `"id": "t-one"`) || strings.Contains(got, "kill") {
		w.t.Errorf("next is %s", got)
	}
	w.reported()
	w.noLocks()
}

// noLocks fails the test where a lock or a note of a run is left in the git directory.
func (w *workshop) noLocks() {
	w.t.Helper()
	for _, pattern := range []string{"*.lock", "refs/heads/*.lock", "index.ralph-*", "ralph/agent.json", "ralph/commit.json", "ralph/push.json", "rebase-*", "ralph/runs/*/live.json"} {
		found, err := filepath.Glob(filepath.Join(w.Dir, ".git", pattern))
		if err != nil || len(found) > 0 {
			w.t.Errorf("left %v %v", found, err)
		}
	}
}

// TestSignalsStopNow guards: hanging up, terminating and quitting end a run as Ctrl-C twice does: agent, its group and
// daemons of its own end with it, nothing is half applied, nothing is left, and the next run goes on.
func TestSignalsStopNow(t *testing.T) {
	t.Parallel()
	receiveHangup(t)
	for _, signal := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGQUIT} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, "BUILD\n  stubborn\n  run sleep 1000 & echo $! >../child\n  daemon ../away\n  run echo $PPID >../agent\n  sleep 60s\n"+
				"always BUILD\n  report {\"verdict\": \"done\"}\nVERIFY\n  pass\n", "one", "two")
			head := w.Git("rev-parse", "HEAD")
			b := w.build()
			pids := []int{w.await("agent"), w.await("child")}
			if away := w.await("away"); runtime.GOOS == "linux" {
				pids = append(pids, away)
			} else {
				defer syscall.Kill(away, syscall.SIGKILL) //nolint:errcheck // only Linux reaches it
			}
			b.Process.Signal(signal)
			if code := b.code(); code != 130 || !strings.Contains(b.out.String(), "interrupted") {
				t.Errorf("exit code %d\n%s", code, &b.out)
			}
			w.untouched(head, pids...)
			if code := w.build().code(); code != 0 {
				t.Errorf("the next run does not go on: %d", code)
			}
			w.reported("done t-one", "done t-two", "accepted t-one", "accepted t-two")
		})
	}
}

// TestHangupUnderNohup guards: a run that was started under nohup goes on.
func TestHangupUnderNohup(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, slow, "one", "two")
	b := &build{Cmd: w.command()}
	b.Path, b.Args = "/bin/sh", []string{"sh", "-c", `trap "" HUP; exec "$0" build`, b.Path}
	b.Stdout, b.Stderr = &b.out, &b.out
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Process.Kill() })
	w.await("agent")
	b.Process.Signal(syscall.SIGHUP)
	time.Sleep(100 * time.Millisecond)
	w.WriteFile("../go", "")
	if code := b.code(); code != 0 {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	w.reported("done t-one", "done t-two", "accepted t-one", "accepted t-two")
}

// TestHangupDuringCommit guards: a terminal that is closed ends also the git that commits code and plan together, and the
// hook that it runs, and may end them before the run reads of it. The plan is then as it was, the agent's work is still
// there, and no lock is.
func TestHangupDuringCommit(t *testing.T) {
	t.Parallel()
	receiveHangup(t)
	for name, hangUp := range map[string]func(run, git, hook int){
		"at once": func(run, _, _ int) {
			syscall.Kill(-run, syscall.SIGHUP)
		},
		"git first": func(run, git, hook int) {
			syscall.Kill(git, syscall.SIGHUP)
			syscall.Kill(hook, syscall.SIGHUP)
			time.Sleep(200 * time.Millisecond)
			syscall.Kill(-run, syscall.SIGHUP)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, "BUILD\n  write tracked changed\n  report {\"verdict\": \"done\"}\n", "one")
			w.WriteFile("tracked", "text\n")
			w.Git("add", "tracked")
			w.Git("commit", "-q", "-m", "tracked")
			w.WriteFile(".git/hooks/pre-commit", "#!/bin/sh\necho $PPID >../git\necho $$ >../hook\nexec sleep 100\n")
			if err := os.Chmod(filepath.Join(w.Dir, ".git/hooks/pre-commit"), 0o777); err != nil {
				t.Fatal(err)
			}
			head := w.Git("rev-parse", "HEAD")
			b := w.build()
			hook, git := w.await("hook"), w.await("git")
			hangUp(b.Process.Pid, git, hook)
			if code := b.code(); code != 130 {
				t.Errorf("exit code %d\n%s", code, &b.out)
			}
			if got := w.Git("status", "--porcelain"); got != "M tracked" && got != " M tracked" {
				t.Errorf("left %q", got)
			}
			w.Git("checkout", "-q", "tracked")
			w.Remove(".git/ralph/commit.json") // the next run would finish the commit
			w.untouched(head, hook)
		})
	}
}

// TestInterruptEndsAWait guards: one Ctrl-C is enough while a limit of the agent's service is waited out.
func TestInterruptEndsAWait(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, "always BUILD\n  run echo 1 >../tried\n  err rate limit, try again in 2h\n  exit 1\n", "one")
	head := w.Git("rev-parse", "HEAD")
	b := w.build()
	w.await("tried")
	time.Sleep(300 * time.Millisecond)
	b.Process.Signal(os.Interrupt)
	if code := b.code(); code != 130 {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	w.untouched(head)
}

// killedBuild starts a build whose agent survives a SIGKILL of the loop, kills the loop, and returns the processes that are left.
func killedBuild(t *testing.T) (*workshop, []int) {
	t.Helper()
	w := newWorkshop(t, "BUILD\n  stubborn\n  run sleep 1000 & echo $! >../child\n  run echo $PPID >../agent\n  sleep 60s\n", "one")
	b := w.build()
	pids := []int{w.await("agent"), w.await("child")}
	b.Process.Kill()
	b.Wait() //nolint:errcheck // killed
	return w, pids
}

// TestReadingEndsNothing guards: commands that only read the plan, its history or the journal end no process that a killed run
// left behind, and say nothing of it; a dry run neither.
func TestReadingEndsNothing(t *testing.T) {
	t.Parallel()
	w, pids := killedBuild(t)
	for _, args := range [][]string{
		{"status"},
		{"logs"},
		{"logs", "--list"},
		{"query", "next"},
		{"log"},
		{"task", "list"},
		{"check"},
		{"prime"},
		{"build", "--dry-run"},
		{"task", "add", "more", "--dry-run"},
	} {
		if out := w.ralph(args...); strings.Contains(out, "killed run") {
			t.Errorf("%v: %s", args, out)
		}
		for _, pid := range pids {
			if !running(pid) {
				t.Fatalf("%v ended process %d", args, pid)
			}
		}
	}
	if got := w.ralph("logs", "--list"); !strings.Contains(got, "killed") {
		t.Errorf("the run is listed as %s", got)
	}
	w.ralph("task", "add", "more")
	for _, pid := range pids {
		if running(pid) && runtime.GOOS == "linux" {
			t.Errorf("process %d lives", pid)
		}
	}
}

// TestNextChangeEndsWhatIsLeft guards: after a SIGKILL of the loop not only the next build but any change of the plan ends what
// the recorded process group and start name.
func TestNextChangeEndsWhatIsLeft(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"task", "add", "more"}, {"fmt"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			w, pids := killedBuild(t)
			if out := w.ralph(args...); !strings.Contains(out, "warning: ended an agent that a killed run had left behind") {
				t.Errorf("%s", out)
			}
			for _, pid := range pids {
				if running(pid) && runtime.GOOS == "linux" {
					t.Errorf("process %d lives", pid)
				}
			}
			if got := w.ralph("logs", "--list"); !strings.Contains(got, "killed") {
				t.Errorf("the run is told as %s", got)
			}
			if slices.Contains(args, "add") {
				w.planned = append(w.planned, "added t-[0-9a-z]+ main more")
			}
			w.reported()
			w.noLocks()
		})
	}
}

// TestAnotherProcessIsLeftAlone guards: numbers of processes are given again. One that only has the number of an agent that
// is long gone is not ended.
func TestAnotherProcessIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, "", "one")
	other := exec.Command("sleep", "1000")
	other.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Process.Kill(); other.Wait() }) //nolint:errcheck // killed
	w.WriteFile(".git/ralph/agent.json", `{"run": "20260101T000000.000-abcd", "pid": `+strconv.Itoa(other.Process.Pid)+`, "start": "another start"}`+"\n")
	if out := w.ralph("fmt"); strings.Contains(out, "ended an agent") || !running(other.Process.Pid) {
		t.Errorf("%s", out)
	}
	w.reported()
	w.noLocks()
}
