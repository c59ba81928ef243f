package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"git-ralph/internal/proc"
)

// The workload of agents: each makes changes, one after the other, and one of five of them changes a line that others change too.
const (
	agents       = 50
	agentChanges = 5
	agentsLimit  = 90 * time.Second // for one side
)

// agentsRun is what a crowd of agents achieved.
type agentsRun struct {
	landed, attempts int
	took             time.Duration
}

func (r agentsRun) perMinute() float64 { return float64(r.landed) / r.took.Minutes() }

func (r agentsRun) attemptsEach() float64 { return float64(r.attempts) / float64(agents*agentChanges) }

// measureAgents: agents in worktrees that land by `git ralph land`, beside agents in clones that pull, rebase and push until it
// works. A change with a conflict is given up by both.
func measureAgents(ctx context.Context, l *lab) ([]row, error) {
	theirs, err := l.crowd(ctx, false, func(ctx context.Context, c *crowd, agent int) error { return c.plain(ctx, agent) })
	if err != nil {
		return nil, err
	}
	ours, err := l.crowd(ctx, true, func(ctx context.Context, c *crowd, agent int) error { return c.lands(ctx, agent) })
	if err != nil {
		return nil, err
	}
	all := agents * agentChanges
	show := func(r agentsRun) string {
		return fmt.Sprintf("%d, %.2f tries, %.0f/min", r.landed, r.attemptsEach(), r.perMinute())
	}
	return []row{
		{what: fmt.Sprintf("of %d changes not landed", all), ours: show(ours), value: float64(all - ours.landed), goal: float64(all) / 5},
		{what: "attempts a change", ours: fmt.Sprintf("%.2f", ours.attemptsEach()), value: ours.attemptsEach(), goal: 1.1},
		{what: "pull --rebase, push : landings a minute", ours: show(ours), rival: show(theirs), value: theirs.perMinute() / ours.perMinute(), goal: 0.2},
	}, nil
}

// crowd is a bare repository and a clone of it, or many.
type crowd struct {
	lab      *lab
	top, hub string
	linked   bool // the agents have worktrees of the clone, not clones of their own
	attempts atomic.Int64
}

// crowd lets all agents work at once, and counts what the remote has at the end.
func (l *lab) crowd(ctx context.Context, linked bool, agent func(context.Context, *crowd, int) error) (agentsRun, error) {
	c := &crowd{lab: l, top: filepath.Join(l.dir, fmt.Sprint("land-agents-", linked)), linked: linked}
	if c.hub = filepath.Join(c.top, "hub"); os.RemoveAll(c.top) != nil || c.prepare(ctx) != nil {
		return agentsRun{}, fmt.Errorf("cannot make %s", c.top)
	}
	limited, cancel := context.WithTimeout(ctx, agentsLimit)
	defer cancel()
	var group sync.WaitGroup
	var lock sync.Mutex
	var failed error
	began := time.Now()
	for i := range agents {
		group.Go(func() {
			if err := agent(limited, c, i); err != nil && limited.Err() == nil {
				lock.Lock()
				failed = errors.Join(failed, err)
				lock.Unlock()
			}
		})
	}
	group.Wait()
	if failed == nil && linked {
		_, failed = c.git(ctx, filepath.Join(c.top, "clone"), "push", "-q", "origin", "main")
	}
	took := time.Since(began)
	names, err := l.git(ctx, c.hub, nil, "ls-tree", "-r", "--name-only", "main", "work/")
	return agentsRun{len(strings.Fields(names)), int(c.attempts.Load()), took}, errors.Join(failed, err)
}

// prepare makes the repositories: for those who push one clone each, for those who land a worktree each.
func (c *crowd) prepare(ctx context.Context) error {
	clone := filepath.Join(c.top, "clone")
	if err := os.MkdirAll(c.top, 0o700); err != nil {
		return err
	}
	stream := "commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\ndata 0\nM 100644 inline hot\ndata 4\nhot\n\n"
	for n := range 200 {
		stream += fmt.Sprintf("M 100644 inline %s\ndata 2\nx\n\n", fileName(n))
	}
	for _, s := range []struct {
		dir   string
		input string
		args  []string
	}{
		{c.top, "", []string{"init", "-q", "--bare", c.hub}},
		{c.hub, stream, []string{"fast-import", "--quiet"}},
		{c.top, "", []string{"clone", "-q", c.hub, clone}},
	} {
		if _, err := c.lab.git(ctx, s.dir, []byte(s.input), s.args...); err != nil {
			return err
		}
	}
	for i := range agents {
		args, from := []string{"clone", "-q", c.hub, c.dir(i)}, c.top
		if c.linked {
			args, from = []string{"worktree", "add", "-q", "-b", fmt.Sprint("agent-", i), c.dir(i), "main"}, clone
		}
		if _, err := c.git(ctx, from, args...); err != nil {
			return err
		}
	}
	return nil
}

func (c *crowd) dir(agent int) string { return filepath.Join(c.top, fmt.Sprint("agent-", agent)) }

func (c *crowd) git(ctx context.Context, dir string, args ...string) (string, error) {
	return c.lab.git(ctx, dir, nil, args...)
}

// work makes one change and commits it.
func (c *crowd) work(ctx context.Context, agent, n int) error {
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

// plain is an agent who pushes.
func (c *crowd) plain(ctx context.Context, agent int) error {
	dir := c.dir(agent)
	for n := range agentChanges {
		if err := c.work(ctx, agent, n); err != nil {
			return err
		}
		for {
			c.attempts.Add(1)
			if _, err := c.git(ctx, dir, "pull", "-q", "--rebase"); err != nil {
				if _, conflict := c.git(ctx, dir, "rebase", "--abort"); conflict != nil {
					if ctx.Err() != nil {
						return ctx.Err()
					}
					continue // somebody else was in the way
				}
				if _, err := c.git(ctx, dir, "reset", "-q", "--hard", "origin/main"); err != nil {
					return err
				}
				break
			}
			if _, err := c.git(ctx, dir, "push", "-q"); err == nil {
				break
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// lands is an agent who lands.
func (c *crowd) lands(ctx context.Context, agent int) error {
	dir := c.dir(agent)
	for n := range agentChanges {
		if err := c.work(ctx, agent, n); err != nil {
			return err
		}
		c.attempts.Add(1)
		_, err := proc.Run(ctx, proc.Cmd{Name: c.lab.bin, Args: []string{"land", fmt.Sprint("agent-", agent), "--into", "main"}, Dir: dir, Env: c.lab.env})
		if err != nil && proc.ExitCode(err) != 1 {
			return err
		}
		if _, err := c.git(ctx, dir, "reset", "-q", "--hard", "main"); err != nil {
			return err
		}
	}
	return nil
}
