package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/test/gittest"
)

// write runs the program, which must succeed, and returns the directory of its pages.
func write(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "pages", "man1")
	var errs bytes.Buffer
	if code := run([]string{dir}, &errs); code != cmdline.ExitDone {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	return dir
}

// TestPages guards: there is a manual page for git ralph and for each of its commands that help shows, each with synopsis,
// description, exit status and examples.
func TestPages(t *testing.T) {
	dir := write(t)
	for _, name := range []string{"git-ralph", "git-ralph-task-add", "git-ralph-query-stage", "git-ralph-set-spec"} {
		if _, err := os.Stat(filepath.Join(dir, name+".1")); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "git-ralph-__complete.1")); err == nil {
		t.Error("a hidden command has a page")
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, title := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "EXAMPLES", "SEE ALSO"} {
			if !strings.Contains(string(text), "\n.SH \""+title+"\"") {
				t.Errorf("%s has no %s", filepath.Base(page), title)
			}
		}
	}
	if mandoc, err := exec.LookPath("mandoc"); err == nil {
		if out, err := exec.Command(mandoc, append([]string{"-Tlint", "-Wwarning"}, pages...)...).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("mandoc: %v\n%s", err, out)
		}
	}
}

// TestGitHelp guards: git help finds the pages.
func TestGitHelp(t *testing.T) {
	dir := write(t)
	if _, err := exec.LookPath("man"); err != nil {
		t.Skip("there is no man")
	}
	bin := t.TempDir() // git looks for the program before it names a page
	if err := os.WriteFile(filepath.Join(bin, "git-ralph"), []byte("#!/bin/sh\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "help", "ralph")
	cmd.Env = append(gittest.Environ(t.TempDir()), "MANPATH="+filepath.Dir(dir), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "keep the plan of a coding agent in git") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestDate guards: the date of the pages can be given in seconds since 1970, and in no other form.
func TestDate(t *testing.T) {
	for epoch, want := range map[string]string{"1764000001": "2025-11-24", "0": "1970-01-01", "soon": ""} {
		if date, err := dateOf(epoch); date != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", epoch, date, err)
		}
	}
}

// TestWrongUse guards: a directory must be given, and be one that can be written to.
func TestWrongUse(t *testing.T) {
	var errs bytes.Buffer
	if code := run(nil, &errs); code != cmdline.ExitUsage {
		t.Errorf("without a directory: exit code %d", code)
	}
	errs.Reset()
	below := filepath.Join(write(t), "git-ralph.1", "below")
	if code := run([]string{below}, &errs); code != cmdline.ExitFailed || !strings.Contains(errs.String(), "manpages: error: cannot make ") {
		t.Errorf("below a file: exit code %d: %s", code, &errs)
	}
}
