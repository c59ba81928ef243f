package main

import (
	"context"

	"git-ralph/internal/proc"
)

// measureStart: a command that does nothing costs little more than any Go program.
func measureStart(ctx context.Context, l *lab) ([]row, error) {
	hello, err := l.hello(ctx)
	if err != nil {
		return nil, err
	}
	ours := contender{cmd: proc.Cmd{Name: l.bin, Args: []string{"version"}, Dir: l.dir}}
	r, err := l.over(ctx, "version : hello-world", 0.8, 5*l.runs, ours, contender{cmd: proc.Cmd{Name: hello, Dir: l.dir}})
	return []row{r}, err
}
