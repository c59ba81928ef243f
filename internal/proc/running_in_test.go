//go:build linux

package proc_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"git-ralph/internal/proc"
)

// testBelow names the directory of a child of this test binary that looks for the program that started it.
const testBelow = "RALPH_TEST_BELOW"

// A program that waits for this process is not one that works in a directory: the git of `git ralph` holds no lock. For others it counts.
func TestRunningInLeavesOutWhoStartedUs(t *testing.T) {
	if dir := os.Getenv(testBelow); dir != "" {
		answer := "no\n"
		if running, ok := proc.RunningIn("wrapping", dir); !ok || len(running) > 0 {
			answer = "yes\n"
		}
		os.WriteFile(filepath.Join(dir, "answer"), []byte(answer), 0o600) //nolint:errcheck // the other side waits for it
		time.Sleep(time.Hour)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	wrapping := filepath.Join(dir, "wrapping")
	if err := os.WriteFile(wrapping, []byte("#!/bin/sh\n\"$@\"\nexit\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	child, err := proc.StartChild(proc.Cmd{
		Name: wrapping, Args: []string{self, "-test.run=^TestRunningInLeavesOutWhoStartedUs$"}, Dir: dir, Env: append(os.Environ(), testBelow+"="+dir),
	}, "RALPH_TEST_CHILD="+dir)
	if err != nil {
		t.Fatal(err)
	}
	defer child.End(0)
	for range 12000 {
		if data, err := os.ReadFile(filepath.Join(dir, "answer")); err == nil && len(data) > 2 {
			if string(data) != "no\n" {
				t.Errorf("the program that started it counts")
			}
			if running, ok := proc.RunningIn("wrapping", dir); !ok || len(running) != 1 || !running[0].Alive() {
				t.Errorf("for another process it does not count")
			}
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("no answer")
}
