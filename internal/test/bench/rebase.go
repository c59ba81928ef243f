package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/proc"
)

// rebased is how many commits the rebase that is measured moves.
const rebased = 300

// measureRebase: a rebase of commits that change the plan hardly feels the driver. Both sides move the same commits, which
// do not conflict as text either; only one has the driver.
func measureRebase(ctx context.Context, l *lab) ([]row, error) {
	origin, err := l.branches(ctx)
	if err != nil {
		return nil, err
	}
	setting, err := registered()
	if err != nil {
		return nil, err
	}
	env := append([]string{"PATH=" + filepath.Dir(l.bin) + string(filepath.ListSeparator) + os.Getenv("PATH")}, l.env[1:]...)
	side := func(name string, config ...string) contender {
		dir := filepath.Join(l.dir, "rebase-"+name)
		// A fresh copy each time: objects that are there already would not be written again.
		prepare := func() error { return l.copyOf(ctx, origin, dir, "work") }
		return contender{prepare: prepare, cmd: proc.Cmd{Name: "git", Args: append(config, "rebase", "-q", "--merge", "up"), Dir: dir, Env: env}}
	}
	with := side("with", "-c", "merge.ralph.name=plan", "-c", "merge.ralph.driver="+setting)
	r, err := l.compare(ctx, fmt.Sprintf("rebase of %d commits : without driver", rebased), 1.5, l.runs/8+1, with, side("without"))
	return []row{r}, err
}

// registered is the command that git is to call, as the program's documentation shows it.
func registered() (string, error) {
	page, err := os.ReadFile("docs/merge.md")
	if err != nil {
		return "", err
	}
	_, rest, found := strings.Cut(string(page), "git config merge.ralph.driver '")
	setting, _, closed := strings.Cut(rest, "'\n")
	if !found || !closed {
		return "", fmt.Errorf("docs/merge.md shows no merge.ralph.driver")
	}
	return setting, nil
}

// branches makes a repository of 2,000 files with a plan, in which branch up changes the first task and branch work, in
// many commits, others.
func (l *lab) branches(ctx context.Context) (string, error) {
	dir := filepath.Join(l.dir, "rebase-origin")
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	for _, step := range []struct {
		in    string
		input []byte
		args  []string
	}{
		{l.dir, nil, []string{"init", "-q", dir}},
		{dir, importStream(2000, planTasks), []string{"fast-import", "--quiet"}},
		{dir, workStream(), []string{"fast-import", "--quiet"}},
		{dir, nil, []string{"gc", "-q"}},
	} {
		if _, err := l.git(ctx, step.in, step.input, step.args...); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// workStream is the two branches, for git fast-import.
func workStream() []byte {
	var b bytes.Buffer
	lines := slices.Collect(strings.Lines(planText(planTasks)))
	commit := func(branch, from string, lines []string) {
		fmt.Fprintf(&b, "commit refs/heads/%s\ncommitter Bench <bench@example.com> 1800000000 +0000\n", branch)
		writeData(&b, "a change of the plan\n")
		if from != "" {
			fmt.Fprintf(&b, "from %s\n", from)
		}
		writeFile(&b, planPath, strings.Join(lines, ""))
		writeFile(&b, ".gitattributes", planPath+" merge=ralph\n")
	}
	commit("fork", "refs/heads/main^0", lines)
	up := slices.Clone(lines)
	up[1] = strings.Replace(up[1], `"notes": "`, `"notes": "first of all. `, 1)
	commit("up", "refs/heads/fork", up)
	from := "refs/heads/fork"
	for i := range rebased {
		at := 4 + i*7%(len(lines)-4)
		lines[at] = strings.Replace(lines[at], `"notes": "`, fmt.Sprintf(`"notes": "%d. `, i), 1)
		commit("work", from, lines)
		from = ""
	}
	return b.Bytes()
}

// copyOf makes dir a copy of a repository, on branch work.
func (l *lab) copyOf(ctx context.Context, origin, dir, branch string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(origin)); err != nil {
		return err
	}
	_, err := l.git(ctx, dir, nil, "checkout", "-q", branch)
	return err
}
