package main

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"git-ralph/internal/git"
	"git-ralph/internal/proc"
)

const walkedCommits = 100_000

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
		dir, err := l.history(ctx, walkedCommits, it.graph)
		if err != nil {
			return nil, err
		}
		r, err := l.walk(ctx, dir, it.env, "walk, "+it.what+" : git log", it.goal)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// walk compares the two in one repository.
func (l *lab) walk(ctx context.Context, dir, env, what string, goal float64) (row, error) {
	repo, err := git.Open(ctx, dir, append(l.env[:len(l.env):len(l.env)], env))
	if err != nil {
		return row{}, err
	}
	ours := contender{call: func() error { return walkAll(ctx, repo) }}
	rival := contender{cmd: proc.Cmd{
		Name: "git", Args: []string{"log", "--all", "--full-history", "-c", "--raw", "--", planPath}, Dir: dir,
	}}
	return l.compare(ctx, what, goal, l.runs/8+1, ours, rival)
}

// walkAll walks from all tips and reads every version of the plan.
func walkAll(ctx context.Context, repo *git.Repo) error {
	w := repo.Walker(ctx)
	defer w.Close() //nolint:errcheck // nothing was written
	tips, err := w.Tips()
	if err != nil {
		return err
	}
	request := git.Request{Paths: []string{planPath}}
	for _, tip := range tips {
		request.Tips = append(request.Tips, tip.ID)
	}
	g, err := w.Walk(request)
	if err != nil {
		return err
	}
	if len(g.Commits) < walkedCommits {
		return fmt.Errorf("%d commits were walked", len(g.Commits))
	}
	var versions []git.Hash
	seen := map[git.Hash]bool{}
	for _, c := range g.Commits {
		if !c.Plan.IsZero() && !seen[c.Plan] {
			seen[c.Plan] = true
			versions = append(versions, c.Plan)
		}
	}
	return w.Blobs(versions, runtime.GOMAXPROCS(0), func(_ int, _ []byte, err error) error { return err })
}
