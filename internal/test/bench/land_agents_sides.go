package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"git-ralph/internal/proc"
)

// work makes one change and commits it.
func (c *crowd) work(ctx context.Context, agent, n int) error {
	c.begun.Add(1)
	dir := c.dir(agent)
	name := fmt.Sprintf("work/%d-%d", agent, n)
	if err := os.MkdirAll(filepath.Join(dir, "work"), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(name+"\n"), 0o600); err != nil {
		return err
	}
	if (agent+n)%5 == 0 {
		if err := os.WriteFile(filepath.Join(dir, "hot"), []byte(name+"\n"), 0o600); err != nil {
			return err
		}
	}
	if _, err := c.git(ctx, dir, "add", "-A"); err != nil {
		return err
	}
	_, err := c.git(ctx, dir, "commit", "-q", "-m", name)
	return err
}

// plain makes a change and pushes it, again and again.
func (c *crowd) plain(ctx context.Context, agent, n int) error {
	dir := c.dir(agent)
	if err := c.work(ctx, agent, n); err != nil {
		return err
	}
	for ctx.Err() == nil {
		if _, err := c.git(ctx, dir, "pull", "-q", "--rebase"); err != nil {
			if _, conflict := c.git(ctx, dir, "rebase", "--abort"); conflict != nil {
				continue // somebody else was in the way
			}
			_, err := c.git(ctx, dir, "reset", "-q", "--hard", "origin/main")
			return err
		}
		if _, err := c.git(ctx, dir, "push", "-q"); err == nil {
			return nil
		}
	}
	return ctx.Err()
}

// lands claims a task, does it on a branch, and makes that land as a worker does: whoever's turn it is lands what all have finished.
func (c *crowd) lands(ctx context.Context, agent, n int) error {
	dir, branch, task := c.dir(agent), fmt.Sprintf("change-%d-%d", agent, n), taskOf(agent, n)
	if _, err := c.ralph(ctx, agent, "claim", task); err != nil {
		return err
	}
	for _, args := range [][]string{{"fetch", "-q", "origin", "main"}, {"checkout", "-q", "--no-track", "-b", branch, "origin/main"}} {
		if _, err := c.git(ctx, dir, args...); err != nil {
			return err
		}
	}
	if err := c.work(ctx, agent, n); err != nil {
		return err
	}
	if _, err := c.ralph(ctx, agent, "task", "done", task); err != nil {
		return err
	}
	out, err := c.ralph(ctx, agent, "land", branch, "--all", "--text", "--into", "main")
	c.returned.Add(int64(strings.Count(out, ": conflict in "))) // these were tried, and not pushed
	if code := proc.ExitCode(err); code == exitReturned || code == exitByOthers {
		return nil
	}
	return err
}

// Exit codes of a landing that is no failure.
const (
	exitReturned = 1 // a branch had a conflict
	exitByOthers = 3 // nothing was left to land
)

func (c *crowd) ralph(ctx context.Context, agent int, args ...string) (string, error) {
	res, err := proc.Run(ctx, proc.Cmd{Name: c.lab.bin, Args: args, Dir: c.dir(agent), Env: c.lab.env})
	if err != nil {
		err = fmt.Errorf("%w: %s", err, res.Stderr)
	}
	return string(res.Stdout), err
}
