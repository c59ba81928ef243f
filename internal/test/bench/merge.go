package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"git-ralph/internal/proc"
)

// A trio is a directory with the files base, ours and theirs, which stand for what git hands to a merge driver.
type trio struct {
	dir  string
	size int64 // of the three together, in bytes
}

// driver is the merge driver that stands beside the program.
func (l *lab) driver() string {
	name := "git-ralph-merge-driver"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(filepath.Dir(l.bin), name)
}

// trio makes the three plans, of which each side has changed one record in share.
func (l *lab) trio(tasks, share int) (trio, error) {
	dir := filepath.Join(l.dir, fmt.Sprintf("merge-%d", tasks))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return trio{}, err
	}
	base := planText(tasks)
	t := trio{dir: dir}
	for name, text := range map[string]string{"base": base, "ours": changed(base, 1, share), "theirs": changed(base, 2, share)} {
		t.size += int64(len(text))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return trio{}, err
		}
	}
	return t, nil
}

// ours is the driver at work on a copy of ours, as git hands it over: with the file that stands for "not merged yet".
func (t trio) ours(l *lab) contender {
	work := filepath.Join(t.dir, "work")
	prepare := func() error {
		text, err := os.ReadFile(filepath.Join(t.dir, "ours"))
		if err != nil {
			return err
		}
		return errors.Join(os.WriteFile(work, text, 0o600), os.WriteFile(work+".ralph", nil, 0o600))
	}
	return contender{prepare: prepare, cmd: proc.Cmd{Name: l.driver(), Args: []string{"base", "work", "theirs", "7", planPath}, Dir: t.dir}}
}

func (t trio) git() contender {
	return contender{cmd: proc.Cmd{Name: "git", Args: []string{"merge-file", "-p", "ours", "base", "theirs"}, Dir: t.dir}, counts: true}
}

// measureMerges: merging plans costs less than merging their text, and the driver starts like a small program.
func measureMerges(ctx context.Context, l *lab) ([]row, error) {
	small, err1 := l.trio(10, 5)
	large, err2 := l.trio(10_000, 100)
	huge, err3 := l.trio(100_000, 100)
	hello, err4 := l.hello(ctx)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, err
	}
	start, err := l.over(ctx, "merge of 10 tasks : hello-world", 0.6, 5*l.runs, small.ours(l), contender{cmd: proc.Cmd{Name: hello, Dir: l.dir}})
	if err != nil {
		return nil, err
	}
	rows := []row{start}
	for _, it := range []struct {
		what        string
		goal        float64
		runs        int
		ours, rival contender
	}{
		{"merge of 10,000 tasks : git merge-file", 0.25, l.runs, large.ours(l), large.git()},
		{"merge of 100,000 tasks : of 10,000", 12, l.runs/3 + 1, huge.ours(l), large.ours(l)},
	} {
		r, err := l.compare(ctx, it.what, it.goal, it.runs, it.ours, it.rival)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	if r, err := l.measureBeads(ctx); err == nil {
		rows = append(rows, r)
	} else {
		fmt.Fprintf(os.Stderr, "bench: without beads: %v\n", err)
	}
	memory, err := l.memory(ctx, large)
	return append(rows, memory), err
}

// memory compares what the driver takes at most with the size of what it merges.
func (l *lab) memory(ctx context.Context, t trio) (row, error) {
	self, err := os.Executable()
	if err != nil {
		return row{}, err
	}
	ours := t.ours(l)
	if err := ours.prepare(); err != nil {
		return row{}, err
	}
	res, err := proc.Run(ctx, proc.Cmd{Name: self, Args: append([]string{"-peak", "--", ours.cmd.Name}, ours.cmd.Args...), Dir: t.dir, Env: l.env})
	if err != nil {
		return row{}, err
	}
	peak, err := strconv.ParseInt(strings.TrimSpace(string(res.Stdout)), 10, 64)
	ratio := float64(peak) / float64(t.size)
	return row{what: "memory of a merge of 10,000 : its files", ours: megabytes(peak), rival: megabytes(t.size), value: ratio, goal: 4}, err
}

func megabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }

// printPeak runs a command and prints the most memory that it had. A process of its own does so: the system counts what
// a program's parent had when it started the program.
func printPeak(command []string) int {
	_, err := proc.Run(context.Background(), proc.Cmd{Name: command[0], Args: command[1:]})
	if err == nil {
		var peak int64
		peak, err = peakOfChildren()
		fmt.Println(peak)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: error: %v\n", err)
		return 1
	}
	return 0
}
