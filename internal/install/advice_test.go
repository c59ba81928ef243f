package install

import (
	"errors"
	"os"
	"strings"
	"testing"

	"git-ralph/internal/git/config"
	"git-ralph/internal/test/gittest"
)

// docs/hooks.md, "Installing": a directory in the worktree is left alone, whether core.hooksPath names it or .git/hooks is a
// symbolic link to it.
func TestHooksInWorktree(t *testing.T) {
	for _, dir := range []string{"scripts", ".githooks"} {
		r := oldGit(t, gittest.NewRepo(t))
		r.Git("config", "core.hooksPath", dir)
		leftAlone(t, r, dir, "core.hooksPath names ")
		r.Git("config", "--unset", "core.hooksPath")
		if err := errors.Join(os.RemoveAll(r.Path(".git/hooks")), os.Symlink("../"+dir, r.Path(".git/hooks"))); err != nil {
			t.Fatal(err)
		}
		leftAlone(t, r, dir, "is a symbolic link")
	}
}

func leftAlone(t *testing.T, r *gittest.Repo, dir, why string) {
	t.Helper()
	r.WriteFile(dir+"/pre-commit", "#!/bin/sh\n")
	if err := os.Chmod(r.Path(dir+"/pre-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := files(t, r.Path(dir))
	o := options(t, r, config.ScopeLocal)
	o.Hooks = true
	if _, err := Install(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	sameFiles(t, "install", files(t, r.Path(dir)), before)
	advice, err := Advise(t.Context(), o)
	if err != nil || len(advice) != 1 || !strings.Contains(advice[0].Why, why) {
		t.Errorf("%v, %v", advice, err)
	}
}

// Where others own hooks, they are reported and left alone.
func TestAdvice(t *testing.T) {
	r := oldGit(t, gittest.NewRepo(t))
	o := options(t, r, config.ScopeLocal)
	o.Hooks = true
	r.WriteFile(".git/hooks/pre-commit", "#!/bin/sh\ncall_lefthook() { :; }\n")
	r.WriteFile(".git/hooks/commit-msg", "#!/usr/bin/python3\n")
	r.WriteFile(".git/hooks/post-merge", "#!/bin/sh\n")
	r.WriteFile(".git/hooks/post-rewrite", "#!/bin/sh\n''':'\nexec python3 \"$0\" \"$@\"\n'''\n")
	for _, name := range []string{"pre-commit", "commit-msg", "post-rewrite"} {
		if err := os.Chmod(r.Path(".git/hooks/"+name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	advice, err := Advise(t.Context(), o)
	if err != nil || len(advice) != 4 {
		t.Fatalf("%v, %v", advice, err)
	}
	for i, want := range []string{"lefthook owns hooks", "is no script for sh (/usr/bin/python3)", "is not executable, so git does not run it", "has another program read it"} {
		if !strings.Contains(advice[i].Why, want) {
			t.Errorf("%s, want %s", advice[i].Why, want)
		}
	}
	r.Git("config", "core.hooksPath", ".husky/_")
	if advice, err := Advise(t.Context(), o); err != nil || len(advice) != 1 || advice[0].Into != Husky || len(advice[0].Hooks) != 7 {
		t.Errorf("%v, %v", advice, err)
	}
}
