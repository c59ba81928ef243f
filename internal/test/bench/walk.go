package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"

	"git-ralph/internal/git"
	"git-ralph/internal/git/walk"
	"git-ralph/internal/proc"
)

// The histories that are walked: a long one in which one commit in ten touches the plan, and one of a large plan that
// nearly every commit touches.
var (
	longHistory = teamSize{commits: 100_000, tasks: 40, planEvery: 16}
	largePlan   = teamSize{commits: 6_600, tasks: 1000, planEvery: 1}
)

// measureWalks: the whole history of the plan, every version of it read, against git's way of only listing the commits
// that changed it. Without a commit-graph, with one, and with Bloom filters; by our own reader and by asking git.
func measureWalks(ctx context.Context, l *lab) ([]row, error) {
	byGit := "GIT_GRAFT_FILE=" + os.DevNull // history that may be altered is read by asking git
	var rows []row
	for _, it := range []struct {
		graph, what, env string
		goal             float64
	}{
		{"", "no commit-graph", "", 0.5},
		{"graph", "commit-graph", "", 0.5},
		{"bloom", "Bloom filters", "", 0.65},
		{"", "no commit-graph, by asking git", byGit, 3},
		{"graph", "commit-graph, by asking git", byGit, 3},
		{"bloom", "Bloom filters, by asking git", byGit, 3},
	} {
		dir, err := l.history(ctx, longHistory, it.graph)
		if err != nil {
			return nil, err
		}
		r, err := l.walk(ctx, dir, it.env, "walk, "+it.what+" : git log", it.goal, "--full-history", "-c", "--raw")
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	dir, err := l.history(ctx, largePlan, "")
	if err != nil {
		return nil, err
	}
	r, err := l.walk(ctx, dir, "", "walk, large plan : git log -p", 0.5, "-p")
	return append(rows, r), err
}

// walk compares the two in one repository.
func (l *lab) walk(ctx context.Context, dir, env, what string, goal float64, args ...string) (row, error) {
	repo, err := git.Open(ctx, dir, append(l.env[:len(l.env):len(l.env)], env))
	if err != nil {
		return row{}, err
	}
	ours := contender{call: func() error { return walkAll(ctx, repo) }}
	args = slices.Concat([]string{"log", "--all"}, args, []string{"--", planPath})
	rival := contender{cmd: proc.Cmd{Name: "git", Args: args, Dir: dir}}
	return l.compare(ctx, what, goal, l.runs/8+1, ours, rival)
}

// walkAll walks from all tips and reads every version of the plan.
func walkAll(ctx context.Context, repo *git.Repo) error {
	w := walk.Open(ctx, repo)
	defer w.Close() //nolint:errcheck // nothing was written
	tips, err := walk.Tips(w)
	if err != nil {
		return err
	}
	request := walk.Request{Paths: []string{planPath}}
	for _, tip := range tips {
		request.Tips = append(request.Tips, tip.ID)
	}
	g, err := w.Walk(request)
	if err != nil {
		return err
	}
	if len(g.Commits) < largePlan.commits || len(g.Missing) > 0 {
		return fmt.Errorf("%d commits were walked, %d are missing", len(g.Commits), len(g.Missing))
	}
	var versions []git.Hash
	seen := map[git.Hash]bool{}
	for _, c := range g.Commits {
		if !c.Plan.IsZero() && !seen[c.Plan] {
			seen[c.Plan] = true
			versions = append(versions, c.Plan)
		}
	}
	return w.Blobs(versions, runtime.GOMAXPROCS(0), func(_, _ int, _ []byte, err error) error { return err })
}
