package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"git-ralph/internal/proc"
)

// The tools that others have hooks from, as `make test-managers` takes them.
const (
	huskyVersion    = "9.1.7"
	lefthookVersion = "2.2.2"
	fetchLimit      = 3 * time.Minute
	rivalIssues     = 1000
)

// otherHooks: for the record, what a commit of code costs with the hooks of other tools. The first two do nothing in
// them; beads has its own, and some issues. Where a tool is not to be had, its row says so.
func (l *lab) otherHooks(ctx context.Context, floorDir string) []row {
	var rows []row
	for _, tool := range []struct {
		name string
		set  func(ctx context.Context, dir string) (path string, err error)
	}{
		{"husky " + huskyVersion, l.husky},
		{"lefthook " + lefthookVersion, l.lefthook},
		{fmt.Sprintf("bd %s with %d issues", beadsVersion, rivalIssues), l.beadsHooks},
	} {
		what := fmt.Sprintf("commit of code, %s : %s", tool.name, floor)
		r, err := l.otherHook(ctx, what, tool.name, tool.set, floorDir)
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench: without %s: %v\n", tool.name, err)
			r = row{what: what, ours: "not to be had", goal: noGoal}
		}
		rows = append(rows, r)
	}
	return rows
}

// otherHook measures one of them in a repository of its own.
func (l *lab) otherHook(ctx context.Context, what, name string, set func(context.Context, string) (string, error), floorDir string) (row, error) {
	dir, err := l.hooked(ctx, strings.Fields(name)[0])
	if err != nil {
		return row{}, err
	}
	path, err := set(ctx, dir)
	if err != nil {
		return row{}, err
	}
	side := l.codeCommit(dir)
	side.cmd.Env = l.withPath(path)
	return l.compare(ctx, what, noGoal, l.runs/3+1, side, l.codeCommit(floorDir))
}

// withPath is the lab's environment with a directory of programs before others. None of them starts a service.
func (l *lab) withPath(dir string) []string {
	path := "PATH=" + dir + string(filepath.ListSeparator) + os.Getenv("PATH")
	return append([]string{path, "BEADS_NO_DAEMON=1"}, l.env[1:]...)
}

// managers fetches husky and lefthook, once, and gives the directory of their programs. MANAGERS is where `make
// test-managers` keeps them.
func (l *lab) managers(ctx context.Context) (string, error) {
	dir := os.Getenv("MANAGERS")
	if dir == "" {
		dir = filepath.Join(l.dir, "managers")
	}
	bin := filepath.Join(dir, "node_modules", ".bin")
	if _, err := os.Stat(filepath.Join(bin, "lefthook")); err == nil {
		return bin, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true}`+"\n"), 0o600); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchLimit)
	defer cancel()
	args := []string{"install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "husky@" + huskyVersion, "lefthook@" + lefthookVersion}
	_, err := proc.Run(ctx, proc.Cmd{Name: "npm", Args: args, Dir: dir, Env: os.Environ()})
	return bin, err
}

// husky returns a repository hooks that do nothing.
func (l *lab) husky(ctx context.Context, dir string) (string, error) {
	bin, err := l.managers(ctx)
	if err == nil {
		_, err = proc.Run(ctx, proc.Cmd{Name: filepath.Join(bin, "husky"), Dir: dir, Env: l.withPath(bin)})
	}
	for _, name := range []string{"pre-commit", "commit-msg", "post-commit"} {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, ".husky", name), []byte("exit 0\n"), 0o600)
		}
	}
	return bin, err
}

// lefthook returns a repository hooks with a command each that does nothing.
func (l *lab) lefthook(ctx context.Context, dir string) (string, error) {
	bin, err := l.managers(ctx)
	if err != nil {
		return "", err
	}
	text := ""
	for _, name := range []string{"pre-commit", "commit-msg", "post-commit"} {
		text += name + ":\n  commands:\n    nothing:\n      run: exit 0\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "lefthook.yml"), []byte(text), 0o600); err != nil {
		return "", err
	}
	_, err = proc.Run(ctx, proc.Cmd{Name: filepath.Join(bin, "lefthook"), Args: []string{"install"}, Dir: dir, Env: l.withPath(bin)})
	return bin, err
}

// beadsHooks returns a repository issues, and the hooks that keep them and its database alike.
func (l *lab) beadsHooks(ctx context.Context, dir string) (string, error) {
	bd, err := l.beads(ctx)
	if err != nil {
		return "", err
	}
	bin := filepath.Dir(bd)
	issues := newTeamPlan(rand.New(rand.NewPCG(1, 1)), rivalIssues).issues()
	err1 := os.MkdirAll(filepath.Join(dir, ".beads"), 0o700)
	err2 := os.WriteFile(filepath.Join(dir, ".beads", "issues.jsonl"), []byte(issues), 0o600)
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	for _, cmd := range []proc.Cmd{
		{Name: bd, Args: []string{"init", "--from-jsonl", "--prefix", "t", "--quiet", "--skip-hooks"}},
		{Name: bd, Args: []string{"hooks", "install"}},
		{Name: "git", Args: []string{"add", ".beads"}},
		{Name: "git", Args: []string{"commit", "-q", "-m", "beads"}},
	} {
		cmd.Dir, cmd.Env = dir, l.withPath(bin)
		if _, err := proc.Run(ctx, cmd); err != nil {
			return "", err
		}
	}
	return bin, nil
}
