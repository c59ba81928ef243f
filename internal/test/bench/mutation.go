package main

import (
	"context"
	"fmt"

	"git-ralph/internal/proc"
)

// planTasks is the size of the plan that mutations change.
const planTasks = 100

// measureMutations: one mutation, end to end, against git's own way of committing one file.
func measureMutations(ctx context.Context, l *lab) ([]row, error) {
	var rows []row
	for _, it := range []struct {
		files, runs int
		goal        float64
	}{{2000, l.runs, 1.2}, {50000, l.runs/3 + 1, 0.4}} {
		repo, err := l.repo(ctx, it.files, planTasks)
		if err != nil {
			return nil, err
		}
		r, err := l.mutation(ctx, repo, fmt.Sprintf("task add : commit --only, %d files", it.files), it.goal, it.runs)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// mutation compares the two ways in one repository and makes sure that both did their work.
func (l *lab) mutation(ctx context.Context, repo, what string, goal float64, runs int) (row, error) {
	next := planTasks
	edit := func() error {
		next++
		return addTask(repo, next)
	}
	ours := contender{cmd: proc.Cmd{Name: l.bin, Args: []string{"task", "add", "One more task for the plan"}, Dir: repo}}
	rival := contender{prepare: edit, cmd: proc.Cmd{Name: "git", Args: []string{"commit", "-q", "--only", "-m", "x", "--", planPath}, Dir: repo}}
	r, err := l.compare(ctx, what, goal, runs, ours, rival)
	if err != nil {
		return row{}, err
	}
	return r, l.checkCommits(ctx, repo, 2*(warmUps+runs))
}

// checkCommits fails unless exactly that many commits were made and nothing is left to commit.
func (l *lab) checkCommits(ctx context.Context, repo string, want int) error {
	made, err := l.git(ctx, repo, nil, "rev-list", "--count", baseTag+"..HEAD")
	if err != nil {
		return err
	}
	if made != fmt.Sprint(want) {
		return fmt.Errorf("%s commits were made, not %d", made, want)
	}
	dirty, err := l.git(ctx, repo, nil, "status", "--porcelain")
	if err == nil && dirty != "" {
		err = fmt.Errorf("left uncommitted: %s", dirty)
	}
	return err
}
