//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"git-ralph/internal/test/gittest"
)

// A named pipe in the place of a file that is kept holds nothing up, and the answer is the same (docs/history.md, "What is
// kept").
func TestNamedPipesAmongTheKept(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow)
	commitPlan(r, specRow)
	want, _, _ := logIn(t, r, "log", "--all")
	kept, err := filepath.Glob(r.Path(".git/ralph/history/*"))
	if err != nil || len(kept) < 3 {
		t.Fatalf("kept: %q %v", kept, err)
	}
	for _, path := range kept {
		for _, line := range [][]string{{"log", "--all"}, {"log"}, {"show", "t-1a2b"}, {"check"}, {"task", "add", "two", "--dry-run"}} {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
			got, messages, code := logIn(t, r, line...)
			if code != 0 || messages != "" || line[len(line)-1] == "--all" && got != want {
				t.Errorf("%s: %v: %d %s\n%s", path, line, code, messages, got)
			}
			if _, err := os.Lstat(path); err != nil { // the answer to another question
				os.WriteFile(path, nil, 0o600)
			}
		}
	}
}
