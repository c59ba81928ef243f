package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"git-ralph/internal/proc"
)

// history returns a bare repository of a team's work, packed, without a commit-graph, with one ("graph"), or with
// one that has Bloom filters ("bloom"). The three share their packs.
func (l *lab) history(ctx context.Context, size teamSize, graph string) (string, error) {
	dir := filepath.Join(l.dir, fmt.Sprintf("history-%d-%d-%d", size.commits, size.tasks, size.planEvery))
	if err := l.once(ctx, dir, func() error { return l.makeHistory(ctx, dir, size) }); err != nil || graph == "" {
		return dir, err
	}
	copied := dir + "-" + graph
	return copied, l.once(ctx, copied, func() error {
		if _, err := l.git(ctx, l.dir, nil, "clone", "-q", "--mirror", "--local", dir, copied); err != nil {
			return err
		}
		args := []string{"commit-graph", "write", "--reachable"}
		if graph == "bloom" {
			args = append(args, "--changed-paths")
		}
		_, err := l.git(ctx, copied, nil, args...)
		return err
	})
}

// once makes a directory unless an earlier session has made it whole.
func (l *lab) once(ctx context.Context, dir string, make func() error) error {
	ready := filepath.Join(dir, "ready")
	if _, err := os.Stat(ready); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := make(); err != nil {
		return err
	}
	return os.WriteFile(ready, nil, 0o600)
}

func (l *lab) makeHistory(ctx context.Context, dir string, size teamSize) error {
	if _, err := l.git(ctx, l.dir, nil, "init", "-q", "--bare", dir); err != nil {
		return err
	}
	in, out := io.Pipe()
	go func() { out.CloseWithError(writeHistory(out, size)) }()
	_, err := proc.Run(ctx, proc.Cmd{Name: "git", Args: []string{"fast-import", "--quiet"}, Dir: dir, Env: l.env, Input: in})
	in.Close()
	if err != nil {
		return err
	}
	for _, args := range [][]string{{"config", "gc.writeCommitGraph", "false"}, {"gc", "-q"}} {
		if _, err := l.git(ctx, dir, nil, args...); err != nil {
			return err
		}
	}
	return nil
}
