//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// docs/teams.md: Ctrl-C ends `verify` and everything that a check started, and leaves no worktree behind.
func TestVerifyInterrupted(t *testing.T) {
	r := gittest.NewRepo(t)
	temp := t.TempDir()
	marks := t.TempDir()
	r.Setenv("TMPDIR", temp)
	r.WriteFile("check", "#!/bin/sh\n(sh -c 'echo $$ >\""+marks+"/child\"; exec sleep 600') &\necho $$ >\""+marks+"/check\"\nwait\n")
	if err := os.Chmod(r.Path("check"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.WriteFile("ralph/plan.jsonl", `{"t": "task", "id": "t-1", "name": "One", "s": "d", "check": "./check"}`+"\n")
	r.Git("add", ".")
	r.Git("commit", "-qm", "one")
	r.Git("config", "ralph.checks.allow", "./check")
	program, err := exec.LookPath("git-ralph")
	if err != nil {
		t.Skip("the programs are not on the PATH")
	}
	cmd := exec.Command(program, "verify")
	cmd.Dir, cmd.Env = r.Dir, r.Env
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pids := []string{awaitFile(t, filepath.Join(marks, "check")), awaitFile(t, filepath.Join(marks, "child"))}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() //nolint:errcheck // the code says more
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	for _, pid := range pids {
		if out, err := exec.Command("kill", "-0", pid).CombinedOutput(); err == nil {
			t.Errorf("process %s is left: %s", pid, out)
		}
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 || strings.Count(r.Git("worktree", "list"), "\n") > 0 {
		t.Errorf("left: %v\n%s", left, r.Git("worktree", "list"))
	}
}

// awaitFile waits until a file has a line, and returns it.
func awaitFile(t *testing.T, name string) string {
	t.Helper()
	var data []byte
	gittest.Await(t, name, func() bool {
		data, _ = os.ReadFile(name) //nolint:errcheck // it may not be there yet
		return strings.HasSuffix(string(data), "\n")
	})
	return strings.TrimSpace(string(data))
}
