package main

import (
	"context"
	"fmt"

	"git-ralph/internal/proc"
)

// measureQueries: the state of a whole plan is there at once.
func measureQueries(ctx context.Context, l *lab) ([]row, error) {
	hello, err := l.hello(ctx)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, it := range []struct {
		tasks int
		goal  float64 // in milliseconds
	}{{1000, 1.2}, {10000, 6}} {
		repo, err := l.repo(ctx, 10, it.tasks)
		if err != nil {
			return nil, err
		}
		ours := contender{cmd: proc.Cmd{Name: l.bin, Args: []string{"query"}, Dir: repo}}
		what := fmt.Sprintf("query of %d tasks : hello-world", it.tasks)
		r, err := l.over(ctx, what, it.goal, 3*l.runs, ours, contender{cmd: proc.Cmd{Name: hello, Dir: l.dir}})
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}
