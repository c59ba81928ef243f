package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"git-ralph/internal/proc"
)

// shortHistory is longHistory's tenth.
var shortHistory = teamSize{commits: longHistory.commits / 10, tasks: longHistory.tasks, planEvery: longHistory.planEvery}

// measureLogs: the histories of all tasks, printed by the program, against git's ways of listing or printing the commits that
// changed the plan. Cold is without what the program may have kept from an earlier run, warm is with it.
func measureLogs(ctx context.Context, l *lab) ([]row, error) {
	var rows []row
	for _, measure := range []func(context.Context, *lab) ([]row, error){
		coldLogs, warmLogs, coldLargePlan, growthOfLogs, memoryOfLogs, logsByGoGit,
	} {
		got, err := measure(ctx, l)
		if err != nil {
			return nil, err
		}
		rows = append(rows, got...)
	}
	return rows, nil
}

// logAll is the program that prints the whole history.
func (l *lab) logAll(dir string, env ...string) contender {
	env = append(l.env[:len(l.env):len(l.env)], env...)
	return contender{cmd: proc.Cmd{Name: l.bin, Args: []string{"log", "--all", "--format", "json"}, Dir: dir, Env: env}}
}

// cold is a run without a cache from earlier ones.
func (c contender) cold() contender {
	cache := cacheIn(c.cmd.Dir)
	c.prepare = func() error { return os.RemoveAll(cache) }
	return c
}

// cacheIn returns the directory in which the program keeps what it read of a repository.
func cacheIn(gitDir string) string { return filepath.Join(gitDir, "ralph") }

// gitLog is git at work on the same commits.
func gitLog(dir string, args ...string) contender {
	return contender{cmd: proc.Cmd{Name: "git", Args: append([]string{"log"}, args...), Dir: dir}}
}

func coldLogs(ctx context.Context, l *lab) ([]row, error) {
	byGit := "GIT_GRAFT_FILE=" + os.DevNull // history that may be altered is read by asking git
	var rows []row
	for _, it := range []struct {
		graph, what string
		env         []string
		goal        float64
	}{
		{"", "no commit-graph", nil, 0.5},
		{"graph", "commit-graph", nil, 0.5},
		{"bloom", "Bloom filters", nil, 0.65},
		{"", "no commit-graph, by asking git", []string{byGit}, 3},
		{"graph", "commit-graph, by asking git", []string{byGit}, 3},
		{"bloom", "Bloom filters, by asking git", []string{byGit}, 3},
	} {
		dir, err := l.history(ctx, longHistory, it.graph)
		if err != nil {
			return nil, err
		}
		rival := gitLog(dir, "--all", "--full-history", "-c", "--raw", "--", planPath)
		r, err := l.compare(ctx, "log --all, cold, "+it.what+" : git log", it.goal, l.runs/8+1, l.logAll(dir, it.env...).cold(), rival)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func coldLargePlan(ctx context.Context, l *lab) ([]row, error) {
	dir, err := l.history(ctx, largePlan, "")
	if err != nil {
		return nil, err
	}
	r, err := l.compare(ctx, "log --all, cold, large plan : git log -p", 0.5, l.runs/8+1, l.logAll(dir).cold(), gitLog(dir, "--all", "-p", "--", planPath))
	return []row{r}, err
}

// growthOfLogs: ten times the commits cost at most ten times the time.
func growthOfLogs(ctx context.Context, l *lab) ([]row, error) {
	long, err := l.history(ctx, longHistory, "")
	if err != nil {
		return nil, err
	}
	short, err := l.history(ctx, shortHistory, "")
	if err != nil {
		return nil, err
	}
	what := fmt.Sprintf("log --all, cold, %d commits : of %d", longHistory.commits, shortHistory.commits)
	r, err := l.compare(ctx, what, 10, l.runs/8+1, l.logAll(long).cold(), l.logAll(short).cold())
	return []row{r}, err
}
