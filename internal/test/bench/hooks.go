package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/proc"
)

// picked is how many commits a rebase goes through.
const picked = 200

// noGoal marks rows that are there for the record.
const noGoal = 1000

// floor is the kind of hooks that ours are held against: as many, of the same names, that do nothing.
const floor = "no-op hooks"

// measureHooks: what our hooks cost, against hooks of the same names that do nothing.
func measureHooks(ctx context.Context, l *lab) ([]row, error) {
	dirs := map[string]string{}
	for _, kind := range []string{"ours", floor, "no hooks"} {
		dir, err := l.hooked(ctx, kind)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		dirs[kind] = dir
	}
	var rows []row
	for _, it := range []struct {
		what        string
		goal        float64
		runs        int
		side        func(dir string) contender
		kind, rival string
	}{
		{"commit of code", 1.25, l.runs, l.codeCommit, "ours", floor},
		{"commit of code", noGoal, l.runs, l.codeCommit, "ours", "no hooks"},
		{"commit of the plan", 2, l.runs, l.planCommit, "ours", floor},
		{fmt.Sprintf("rebase of %d commits", picked), 1.15, 5, l.rebase, "ours", floor},
	} {
		what := fmt.Sprintf("%s, %s : %s", it.what, it.kind, it.rival)
		r, err := l.compare(ctx, what, it.goal, it.runs, it.side(dirs[it.kind]), it.side(dirs[it.rival]))
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	rows = append(rows, l.otherHooks(ctx, dirs[floor])...)
	arrived, err := l.arrivals(ctx, dirs["ours"])
	return append(rows, arrived...), err
}

// hooked clones the repository and gives it hooks of a kind; there are none for one that it does not know.
func (l *lab) hooked(ctx context.Context, kind string) (string, error) {
	from, err := l.repo(ctx, 2000, planTasks)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(l.dir, "hooks-"+strings.ReplaceAll(kind, " ", "-"))
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if _, err := l.git(ctx, l.dir, nil, "clone", "-q", "--no-tags", from, dir); err != nil {
		return "", err
	}
	if _, err := l.git(ctx, dir, nil, "config", "maintenance.auto", "false"); err != nil {
		return "", err
	}
	if kind != "ours" && kind != floor {
		return dir, nil
	}
	if _, err := proc.Run(ctx, proc.Cmd{Name: l.bin, Args: []string{"install"}, Dir: dir, Env: l.env}); err != nil {
		return "", err
	}
	if kind == "ours" {
		return dir, nil
	}
	return dir, emptyHooks(dir)
}

// emptyHooks makes every hook one that does nothing.
func emptyHooks(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, ".git", "hooks", "*"))
	for _, file := range files {
		if err == nil && filepath.Ext(file) == "" {
			err = os.WriteFile(file, []byte("#!/bin/sh\nexit 0\n"), 0o755)
		}
	}
	return err
}

// codeCommit is a commit that does not touch the plan.
func (l *lab) codeCommit(dir string) contender {
	n := 0
	edit := func() error {
		n++
		return os.WriteFile(filepath.Join(dir, fileName(1)), fmt.Appendf(nil, "edit %d\n", n), 0o600)
	}
	return contender{prepare: edit, cmd: proc.Cmd{Name: "git", Args: []string{"commit", "-q", "-a", "-m", "edit"}, Dir: dir}}
}

// planCommit is one that does.
func (l *lab) planCommit(dir string) contender {
	n := planTasks
	edit := func() error {
		n++
		return addTask(dir, n)
	}
	return contender{prepare: edit, cmd: proc.Cmd{Name: "git", Args: []string{"commit", "-q", "-a", "-m", "edit"}, Dir: dir}}
}

// rebase goes through the last commits, which were made by codeCommit and the like; more are made where there are too few.
func (l *lab) rebase(dir string) contender {
	began := false
	prepare := func() error {
		if began {
			return nil
		}
		began = true
		return l.manyCommits(dir)
	}
	return contender{prepare: prepare, cmd: proc.Cmd{Name: "git", Args: []string{"rebase", "-q", "--force-rebase", fmt.Sprintf("HEAD~%d", picked)}, Dir: dir}}
}

// manyCommits appends commits that change one file each.
func (l *lab) manyCommits(dir string) error {
	var b strings.Builder
	for i := range picked {
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter Bench <bench@example.com> %d +0000\ndata 5\nmany\n", 1800000000+i)
		if i == 0 {
			b.WriteString("from refs/heads/main^0\n")
		}
		text := fmt.Sprintf("many %d\n", i)
		fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", fileName(i), len(text), text)
	}
	ctx := context.Background()
	if _, err := l.git(ctx, dir, []byte(b.String()), "fast-import", "--quiet"); err != nil {
		return err
	}
	_, err := l.git(ctx, dir, nil, "reset", "-q", "--hard")
	return err
}
