//go:build unix

package proc_test

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"git-ralph/internal/proc"
)

func startScript(t *testing.T, script string, env ...string) *proc.Job {
	t.Helper()
	j, err := proc.StartJob(proc.Cmd{Name: "sh", Args: []string{"-c", script}, Env: append(os.Environ(), env...)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Close)
	return j
}

// awaitPID waits for a script to write a process's number into a file.
func awaitPID(t *testing.T, path string) int {
	t.Helper()
	for range 12000 {
		data, _ := os.ReadFile(path)
		if pid, err := strconv.Atoi(strings.TrimSpace(string(data))); err == nil && strings.HasSuffix(string(data), "\n") {
			return pid
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%s was not written", path)
	return 0
}

// lives reports whether a process runs; one that has ended and is not buried does not.
func lives(pid int) bool {
	stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return syscall.Kill(pid, 0) == nil && !strings.Contains(string(stat), ") Z ")
}

// A job's output and status are its own; its input is empty where none is given.
func TestJobReturnsOutputAndStatus(t *testing.T) {
	j := startScript(t, "cat; echo out; echo aside >&2; exit 7")
	out, _ := io.ReadAll(j.Stdout)
	errs, _ := io.ReadAll(j.Stderr)
	<-j.Exited()
	if string(out) != "out\n" || string(errs) != "aside\n" || j.Code() != 7 {
		t.Errorf("%q %q %d", out, errs, j.Code())
	}
	if _, err := proc.StartJob(proc.Cmd{Name: "no-such-program-here"}); proc.ExitCode(err) != -1 {
		t.Errorf("missing program: %v", err)
	}
}

// Who ignores TERM is killed, and so is everything of its group.
func TestJobEndsWhoIgnoresTERM(t *testing.T) {
	dir := t.TempDir()
	j := startScript(t, `trap '' TERM; sh -c 'trap "" TERM; echo $$ >"`+dir+`/child"; while :; do sleep 1; done' & echo $$ >"`+dir+`/leader"; wait; while :; do sleep 1; done`)
	leader, child := awaitPID(t, filepath.Join(dir, "leader")), awaitPID(t, filepath.Join(dir, "child"))
	j.End(20 * time.Millisecond)
	if lives(leader) || lives(child) {
		t.Error("something is left")
	}
	if j.Code() != -1 {
		t.Errorf("code %d", j.Code())
	}
}

// A daemon in a session of its own, whose parent has gone and whose environment is empty, is ended with its job.
func TestJobEndsDaemons(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux lets a process adopt orphans")
	}
	dir := t.TempDir()
	j := startScript(t, `env -i PATH="$PATH" setsid sh -c 'trap "" TERM; (sh -c "echo \$\$ >\"`+dir+`/daemon\"; while :; do sleep 1; done" &) ; exit 0' & wait`)
	daemon := awaitPID(t, filepath.Join(dir, "daemon"))
	<-j.Exited()
	if !lives(daemon) {
		t.Fatal("the daemon ended by itself")
	}
	j.End(20 * time.Millisecond)
	if lives(daemon) {
		t.Error("the daemon is left")
	}
	if _, err := io.ReadAll(j.Stdout); err != nil {
		t.Error(err)
	}
}

// What a killed parent leaves is found by group and start, or by the mark in its environment, and nothing else is touched.
func TestEndLeft(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux shows the environment of others")
	}
	dir := t.TempDir()
	marker := "RALPH_TEST_MARK=" + dir // no other run's of this test
	j := startScript(t, `echo $$ >"`+dir+`/leader"; setsid sh -c 'echo $$ >"`+dir+`/away"; while :; do sleep 1; done' & while :; do sleep 1; done`, marker)
	leader, away := awaitPID(t, filepath.Join(dir, "leader")), awaitPID(t, filepath.Join(dir, "away"))
	if !j.ID.Alive() || j.ID.PID != leader {
		t.Errorf("%+v is not %d", j.ID, leader)
	}
	other := proc.ID{PID: leader, Start: "another/1"}
	if proc.EndRemaining(other, "RALPH_TEST_MARK=none", 0) || !lives(leader) {
		t.Error("a process of the same number was taken for it")
	}
	if !proc.EndRemaining(other, marker, 50*time.Millisecond) || lives(away) {
		t.Error("the mark was not found")
	}
	<-j.Exited()
	if proc.EndRemaining(j.ID, marker, 0) {
		t.Error("there is nothing left to end")
	}
}
