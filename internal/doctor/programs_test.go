//go:build unix

package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What doctor says of the PATH helps: a directory is added only where it is not there yet, and a program that is missing is
// not found by adding one.
func TestProgramsAdvice(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	program, driver, parser := filepath.Join(dir, "git-ralph"), filepath.Join(dir, "git-ralph-merge-driver"), filepath.Join(dir, "git-ralph-workplan-parser")
	install := func(path string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	advice := func(path string) string {
		var all []string
		for _, f := range (Repository{Program: program, Environ: []string{"PATH=" + path}}).programs(t.Context()) {
			if f.Level != Fine {
				all = append(all, f.Name+": "+f.Repair)
			}
		}
		return strings.Join(all, "; ")
	}
	check := func(path, want string) {
		t.Helper()
		if got := advice(path); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	add := "add the directory " + dir + " to the PATH of your login shell"
	missing := "git-ralph-merge-driver: " + dir + " has no git-ralph-merge-driver: install git ralph again, with all of its programs"
	install(program, 0o755)
	install(parser, 0o755)
	install(filepath.Join(dir, "git-ralph-ui"), 0o755)
	check(dir, missing)
	check(other, "git-ralph: "+add+"; "+missing)
	install(driver, 0o644)
	check(dir, "git-ralph-merge-driver: make "+driver+" executable")
	if err := os.Chmod(driver, 0o755); err != nil {
		t.Fatal(err)
	}
	check(dir, "")
	check(other, "git-ralph: "+add+"; git-ralph-merge-driver: "+add)

	// git-ralph alone starts the parser, which it finds in its own places, or on the PATH.
	if err := os.Rename(parser, filepath.Join(other, filepath.Base(parser))); err != nil {
		t.Fatal(err)
	}
	check(dir+":"+other, "")
	check(dir, "git-ralph-workplan-parser: install git ralph again, with all of its programs")
}
