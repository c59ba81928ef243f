package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/proc"
)

// countProcesses: a mutation starts few processes, a query of the worktree's plan none.
func countProcesses(ctx context.Context, l *lab) ([]row, error) {
	repo, err := l.repo(ctx, 2000, planTasks)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, it := range []struct {
		args []string
		goal float64
	}{
		{[]string{"task", "add", "One more task for the plan"}, 6},
		{[]string{"query"}, 0},
		{[]string{"version"}, 0},
	} {
		n, err := l.processes(ctx, repo, it.args)
		if err != nil {
			return nil, err
		}
		what := "processes of " + strings.Join(it.args[:min(2, len(it.args))], " ")
		rows = append(rows, row{what: what, ours: fmt.Sprint(n), value: float64(n), goal: it.goal})
	}
	return rows, nil
}

// watched are the programs, git aside, that a process might be started from.
var watched = [...]string{"sh", "bash", "dash", "env", "ssh-keygen", "gpg"}

// processes runs git-ralph with wrappers first on PATH. The one of git turns on git's own trace, which reports git's
// children too; the others write a line of the same kind.
func (l *lab) processes(ctx context.Context, repo string, args []string) (int, error) {
	dir, err := os.MkdirTemp(l.dir, "wrappers")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	trace := filepath.Join(dir, "trace")
	if err := writeWrappers(dir, trace); err != nil {
		return 0, err
	}
	env := append([]string{"PATH=" + dir + string(filepath.ListSeparator) + os.Getenv("PATH")}, l.env[1:]...)
	if _, err := proc.Run(ctx, proc.Cmd{Name: l.bin, Args: args, Dir: repo, Env: env}); err != nil && proc.ExitCode(err) != limitReached {
		return 0, err
	}
	text, err := os.ReadFile(trace)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	return countStarts(text), err
}

func writeWrappers(dir, trace string) error {
	for _, name := range append([]string{"git"}, watched[:]...) {
		real, err := proc.LookPath(name, nil)
		if err != nil {
			continue
		}
		script := fmt.Sprintf("#!/bin/sh\necho '{\"event\":\"start\"}' >>'%s'\nexec '%s' \"$@\"\n", trace, real)
		if name == "git" {
			script = fmt.Sprintf("#!/bin/sh\nGIT_TRACE2_EVENT='%s' exec '%s' \"$@\"\n", trace, real)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			return err
		}
	}
	return nil
}

// countStarts counts the processes in a trace: every git that started, and git's children that are not git.
func countStarts(trace []byte) int {
	n := 0
	for line := range bytes.Lines(trace) {
		switch {
		case bytes.Contains(line, []byte(`"event":"start"`)):
			n++
		case bytes.Contains(line, []byte(`"event":"child_start"`)) && !bytes.Contains(line, []byte(`"argv":["git"`)):
			n++
		}
	}
	return n
}
