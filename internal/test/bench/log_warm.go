package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/proc"
)

// looseCommits is how many commits came since the last run of the program. They lie as loose objects, not in a pack, and
// are not in the commit-graph: so they come from the user's own git commit.
const looseCommits = 100

// Where the branch main stands without these commits and with them. No branch and no tag, so neither side looks at them.
const (
	refBefore = "refs/bench/before"
	refAfter  = "refs/bench/after"
)

// warmLogs: who asks again waits no longer than for any program to start, and who has committed since, no longer than the
// new commits take.
func warmLogs(ctx context.Context, l *lab) ([]row, error) {
	dir, err := l.looseHistory(ctx)
	if err != nil {
		return nil, err
	}
	hello, err := l.hello(ctx)
	if err != nil {
		return nil, err
	}
	if err := l.remember(ctx, dir); err != nil {
		return nil, err
	}
	start := contender{cmd: proc.Cmd{Name: hello, Dir: l.dir}}
	recent := contender{cmd: proc.Cmd{Name: l.bin, Args: []string{"log"}, Dir: dir}}
	all, err1 := l.over(ctx, "log --all, warm, nothing new : hello-world", 2, l.runs, l.logAll(dir), start)
	newest, err2 := l.over(ctx, "log, warm, nothing new : hello-world", 2, l.runs, recent, start)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if _, err := l.git(ctx, dir, nil, "update-ref", "refs/heads/main", refAfter); err != nil {
		return nil, err
	}
	what := fmt.Sprintf("log, warm, %d loose commits : git log -p of them", looseCommits)
	recent.prepare = func() error { return replaceDirectory(cacheIn(filepath.Join(dir, ".git")), asideOf(dir)) }
	since, err := l.compare(ctx, what, 0.6, l.runs/3+1, recent, gitLog(dir, "-p", refBefore+".."+refAfter))
	return []row{all, newest, since}, err
}

// remember lets the program run on the history without the loose commits, and sets aside what it keeps.
func (l *lab) remember(ctx context.Context, dir string) error {
	if _, err := l.git(ctx, dir, nil, "update-ref", "refs/heads/main", refBefore); err != nil {
		return err
	}
	if err := os.RemoveAll(cacheIn(filepath.Join(dir, ".git"))); err != nil {
		return err
	}
	if _, err := l.time(ctx, l.logAll(dir)); err != nil {
		return err
	}
	return replaceDirectory(asideOf(dir), cacheIn(filepath.Join(dir, ".git")))
}

// replaceDirectory makes a directory a copy of another one, and removes it where that does not exist.
func replaceDirectory(dir, from string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	err := os.CopyFS(dir, os.DirFS(from))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func asideOf(dir string) string { return dir + "-kept" }

// looseHistory is a copy of the long history with a commit-graph, as a user has it: in a worktree, with the loose commits
// on top of main.
func (l *lab) looseHistory(ctx context.Context) (string, error) {
	from, err := l.history(ctx, longHistory, "graph")
	if err != nil {
		return "", err
	}
	dir := from + "-users"
	gitDir := filepath.Join(dir, ".git")
	return dir, l.once(ctx, dir, func() error {
		if _, err := l.git(ctx, l.dir, nil, "clone", "-q", "--mirror", "--local", from, gitDir); err != nil {
			return err
		}
		if _, err := l.git(ctx, gitDir, nil, "config", "core.bare", "false"); err != nil {
			return err
		}
		plan, err := l.git(ctx, dir, nil, "cat-file", "blob", "refs/heads/main:"+planPath)
		if err != nil {
			return err
		}
		const unpack = "fastimport.unpackLimit=100000"
		for _, step := range []struct {
			input []byte
			args  []string
		}{
			{nil, []string{"update-ref", refBefore, "refs/heads/main"}},
			{looseStream(plan), []string{"-c", unpack, "fast-import", "--quiet"}},
		} {
			if _, err := l.git(ctx, dir, step.input, step.args...); err != nil {
				return err
			}
		}
		return l.checkLoose(ctx, dir)
	})
}

// looseStream is the commits, for git fast-import: one task after the other is added, done and accepted.
func looseStream(plan string) []byte {
	var b bytes.Buffer
	lines := slices.Collect(strings.Lines(plan + "\n"))
	for i := range looseCommits {
		n := 200_000 + i/3 // no task of the history has its id
		id, what := taskID(n), [...]string{"added", "done", "accepted"}[i%3]
		lines = slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, `"id": "`+id+`"`) })
		switch what {
		case "added":
			lines = append(lines, taskLine(id, n, "", `"p"`))
		case "done":
			lines = append(lines, taskLine(id, n, "", `"d", "done_at": "0123456789ab"`))
		}
		slices.Sort(lines[1:]) // behind the spec
		fmt.Fprintf(&b, "commit %s\ncommitter Bench <bench@example.com> %d +0000\n", refAfter, 1600000000+i*600)
		writeData(&b, fmt.Sprintf("ralph: %s %s\n\nRalph-Event: %s %s {\"at\": \"2026-01-02T03:04:05.000Z\"}\nRalph-Branch: main", what, id, what, id))
		if i == 0 {
			fmt.Fprintf(&b, "from %s^0\n", refBefore)
		}
		writeFile(&b, planPath, strings.Join(lines, ""))
	}
	return b.Bytes()
}

// checkLoose fails unless the commits are there, and loose.
func (l *lab) checkLoose(ctx context.Context, dir string) error {
	made, err := l.git(ctx, dir, nil, "rev-list", "--objects", refBefore+".."+refAfter)
	if err != nil {
		return err
	}
	for line := range strings.Lines(made) {
		id, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if _, err := os.Stat(filepath.Join(dir, ".git", "objects", id[:2], id[2:])); err != nil {
			return fmt.Errorf("%s should be loose: %w", id, err)
		}
	}
	commits, err := l.git(ctx, dir, nil, "rev-list", "--count", refBefore+".."+refAfter, "--", planPath)
	if err == nil && commits != fmt.Sprint(looseCommits) {
		err = fmt.Errorf("%s commits change the plan, not %d", commits, looseCommits)
	}
	return err
}
