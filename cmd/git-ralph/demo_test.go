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

// demo runs a script of internal/test/demo with the programs under test, and returns what it prints.
func demo(t *testing.T, script string) string {
	t.Helper()
	bin := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"git-ralph", "git-ralph-merge-driver", "git-ralph-workplan-parser", "scripted-agent"} {
		if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("sh", filepath.Join("..", "..", "internal", "test", "demo", script), bin)
	cmd.Env = gittest.Environ(t.TempDir())
	cmd.Env = append(cmd.Env, "TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestDemoOfTheLoop guards: `make demo` ends with a spec that an agent takes from PLAN to COMPLETE, rejected once
// and killed once on the way, and the log that reports it.
func TestDemoOfTheLoop(t *testing.T) {
	out := demo(t, "loop.sh")
	at := 0
	for _, want := range []string{
		"1 PLAN\n", "1 BUILD t-table ", "  killed t-table ", "limit reached: 1 iteration\n", "0 accepted, 0 rejected, 1 killed",
		"1 DECOMPOSE t-table ", "5 VERIFY\n", "  rejected t-names ", "7 VERIFY\n", "\ncomplete\n", "3 accepted, 1 rejected, 0 killed",
		"$ git ralph log --all", "  accepted    t-names ", "  rejected    t-names ", "  killed      t-table ",
	} {
		found := strings.Index(out[at:], want)
		if found < 0 {
			t.Fatalf("no %q behind %q in\n%s", want, out[:at], out[at:])
		}
		at += found
	}
}

// TestDemoOfTheTeam guards: `make demo` ends with a team that takes twelve tasks to COMPLETE, with a conflict that is returned, a
// worker that is killed and a rejection on the way, and receipts that hold. The script itself checks the rest.
func TestDemoOfTheTeam(t *testing.T) {
	t.Parallel()
	out := demo(t, "team.sh")
	for _, want := range []string{
		"conflict in receipt.txt; returned\n", "its process was killed; it is started again\n", "rejected t-note ", "\ncomplete\n", " 12 accepted, 1 rejected, 0 killed", "\nsame  t-head  ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestDemoOfThePipeline guards: `make demo` ends with a team of the size that three items need, which takes them from the backlog to
// done; one plan is sent back, and reported as that. The script itself checks the rest.
func TestDemoOfThePipeline(t *testing.T) {
	t.Parallel()
	out := demo(t, "pipeline.sh")
	for _, want := range []string{
		"roster analyst=1,builder=1,", ",builder=2,validator=1,integrator=1\n", " rejected t-w-bye-plan ", " accepted t-w-bye-review ", "\ncomplete\n",
		" 6 accepted, 1 rejected, 0 killed", "thoughts/shared/reviews/2026-01-01-w-bye.md\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, " cancelled ") {
		t.Errorf("a task was cancelled in\n%s", out)
	}
}
