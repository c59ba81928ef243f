package githook

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-ralph/githooks"
)

// A closingTest is a message and what it closes. The table decides for the program and for the scripts.
type closingTest struct {
	name, message string
	words         bool
	want          closing
}

func closingTests() []closingTest {
	return []closingTest{
		{"nothing", "Fix the parser\n\nIt was slow.\n", true, closing{}},
		{"one", "x\n\nRalph-Done: t-a\n", false, closing{tasks: []string{"t-a"}}},
		{"without a line break", "x\n\nRalph-Done:t-a", false, closing{tasks: []string{"t-a"}}},
		{"several", "x\n\nralph-done: t-a, t-b t-c,,\nRalph-Done : t-b\nRALPH-ISSUE: i-a\r\n", false, closing{[]string{"t-a", "t-b", "t-c"}, []string{"i-a"}}},
		{"continued", "x\n\nRalph-Done: t-a,\n  t-b\nRalph-Issue:\n\ti-a\nSigned-off-by: me\n t-c\n", false, closing{[]string{"t-a", "t-b"}, []string{"i-a"}}},
		{"quoted and commented", "x\n\n> Ralph-Done: t-a\n# Ralph-Done: t-b\n  Ralph-Done: t-c\n", false, closing{}},
		{"other trailers", "x\n\nRalph-Event: done t-a {}\nRalph-Branch: main\n", true, closing{}},
		{"below the scissors", "x\n# ------------------------ >8 ------------------------\nRalph-Done: t-a\n", false, closing{}},
		{"words not asked for", "This closes t-a\n", false, closing{}},
		{"words", "This closes t-a. It (closes i-b) and closes nothing, encloses t-c\n", true, closing{[]string{"t-a"}, []string{"i-b"}}},
		{"words apart", "closes  t-a\nCloses: t-b\nCLOSES\ti-a\ncloses : t-c\ncloses#t-d closes #t-e", true, closing{[]string{"t-a", "t-b"}, []string{"i-a"}}},
		{"words, several", "closes t-a, t-b,t-c and i-a. t-d is open. closes t-e t-f, and so t-g", true, closing{[]string{"t-a", "t-b", "t-c", "t-e", "t-f"}, []string{"i-a"}}},
		{"a trailer of words not asked for", "x\n\nCloses: t-a\n", false, closing{}},
		{"the last word", "closes\nt-a", true, closing{}},
	}
}

// docs/hooks.md, "Closing": what a message closes, and what it only speaks of.
func TestClosingOf(t *testing.T) {
	for _, tt := range closingTests() {
		t.Run(tt.name, func(t *testing.T) {
			got := closingOf(tt.message, tt.words)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(closing{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The scripts call the program for every message that closes something, and read messages alike.
func TestScriptsFindWhatCloses(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("git-ralph", "#!/bin/sh\n: >\"$CALLED\"\n")
	for _, script := range []string{"commit-msg", "post-commit"} {
		write(script, githooks.Script(script, githooks.Place{Plan: "p", Program: "git-ralph"}))
	}
	for _, tt := range closingTests() {
		called := map[string]bool{}
		write("COMMIT_EDITMSG", tt.message)
		for _, script := range []string{"commit-msg", "post-commit"} {
			mark := filepath.Join(dir, "called")
			cmd := exec.Command(sh, filepath.Join(dir, script), filepath.Join(dir, "COMMIT_EDITMSG"))
			cmd.Dir, cmd.Env = dir, []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH"), "GIT_DIR=" + dir, "CALLED=" + mark}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", script, err, out)
			}
			called[script] = os.Remove(mark) == nil
		}
		if closes := !closingOf(tt.message, true).empty(); called["commit-msg"] != called["post-commit"] || closes && !called["commit-msg"] {
			t.Errorf("%s: closes something: %v; commit-msg calls the program: %v, post-commit: %v",
				tt.name, closes, called["commit-msg"], called["post-commit"])
		}
	}
}
