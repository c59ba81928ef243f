package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// crowdSize is how many agents work at once, how many changes each makes, one after the other, and how long. One of five changes is of
// a line that others change too.
type crowdSize struct {
	agents, changes int
	limit           time.Duration // for one side
}

func (s *crowdSize) flags() {
	flag.IntVar(&s.agents, "agents", 50, "how many agents land at once")
	flag.IntVar(&s.changes, "changes", 5, "how many changes each of them makes")
	flag.DurationVar(&s.limit, "agents-limit", 90*time.Second, "how long they may take")
}

// agentsRun is what a crowd of agents achieved.
type agentsRun struct {
	landed, attempts, begun int
	took                    time.Duration
}

func (r agentsRun) perMinute() float64 { return float64(r.landed) / r.took.Minutes() }

// attemptsEach is how often a change was tried to be brought to the target, of those that were made.
func (r agentsRun) attemptsEach() float64 { return float64(r.attempts) / float64(max(1, r.begun)) }

func (r agentsRun) String() string {
	return fmt.Sprintf("%d, %.2f tries, %.0f/min", r.landed, r.attemptsEach(), r.perMinute())
}

// measureAgents: agents that claim tasks, do them and land as workers do, beside agents that pull, rebase and push until it works. All
// have clones of their own of one bare remote. A change with a conflict is given up by both.
func measureAgents(ctx context.Context, l *lab) ([]row, error) {
	theirs, err := l.crowd(ctx, "plain", (*crowd).plain)
	if err != nil {
		return nil, err
	}
	ours, err := l.crowd(ctx, "ours", (*crowd).lands)
	if err != nil {
		return nil, err
	}
	all := l.size.agents * l.size.changes
	ratio := theirs.perMinute() / max(ours.perMinute(), 0.01)
	return []row{
		{what: fmt.Sprintf("of %d changes not landed", all), ours: ours.String(), value: float64(all - ours.landed), goal: float64(all) / 5},
		{what: "tries to land a change", ours: fmt.Sprintf("%.2f", ours.attemptsEach()), value: ours.attemptsEach(), goal: 1.1},
		{what: "pull --rebase, push : landings a minute", ours: ours.String(), rival: theirs.String(), value: ratio, goal: 0.2},
	}, nil
}

// crowd is a bare repository and many clones of it.
type crowd struct {
	lab      *lab
	size     crowdSize
	top, hub string
	plans    bool // with a plan that has a task for each change
	begun    atomic.Int64
	returned atomic.Int64
}

// crowd lets all agents work at once, and counts what the remote has at the end. Who is interrupted by the limit has not failed.
func (l *lab) crowd(ctx context.Context, name string, agent func(*crowd, context.Context, int, int) error) (agentsRun, error) {
	c := &crowd{lab: l, size: l.size, top: filepath.Join(l.dir, "land-agents-"+name), plans: name == "ours"}
	c.hub = filepath.Join(c.top, "hub")
	if err := errors.Join(os.RemoveAll(c.top), c.prepare(ctx)); err != nil {
		return agentsRun{}, err
	}
	began := time.Now()
	failed := c.letWork(ctx, agent)
	took := time.Since(began)
	names, err := l.git(ctx, c.hub, nil, "ls-tree", "-r", "--name-only", "main", "work/")
	pushed, _ := os.ReadFile(filepath.Join(c.top, "pushed")) //nolint:errcheck // none was tried
	return agentsRun{len(strings.Fields(names)), len(pushed) + int(c.returned.Load()), int(c.begun.Load()), took}, errors.Join(failed, err)
}

func (c *crowd) letWork(ctx context.Context, agent func(*crowd, context.Context, int, int) error) error {
	limited, cancel := context.WithTimeout(ctx, c.size.limit)
	defer cancel()
	var group sync.WaitGroup
	failures := make([]error, c.size.agents)
	for i := range c.size.agents {
		group.Go(func() {
			for n := range c.size.changes {
				if err := agent(c, limited, i, n); limited.Err() != nil || err != nil {
					if limited.Err() == nil {
						failures[i] = fmt.Errorf("agent %d, change %d: %w", i, n, err)
					}
					return
				}
			}
		})
	}
	group.Wait()
	return errors.Join(failures...)
}

// countPushes is a hook that counts the changes that are pushed to the target: of a landing, as many as it ends claims; of another
// push one. What git does not send is no line of its input: a push of which nothing is left counts too. One that sets a claim to
// landing has a branch of its own.
const countPushes = `#!/bin/sh
n=0
while read -r here id there was; do
	case $there in
	refs/heads/change-*) exit 0 ;;
	refs/ralph/claims/*) n=$((n + 1)) ;;
	esac
done
[ $n -gt 0 ] || n=1
while [ $n -gt 0 ]; do
	printf . >>'%s'
	n=$((n - 1))
done
`

// prepare makes the repositories.
func (c *crowd) prepare(ctx context.Context) error {
	hooks := filepath.Join(c.top, "hooks")
	if err := os.MkdirAll(hooks, 0o700); err != nil {
		return err
	}
	count := fmt.Sprintf(countPushes, filepath.Join(c.top, "pushed"))
	if err := os.WriteFile(filepath.Join(hooks, "pre-push"), []byte(count), 0o700); err != nil {
		return err
	}
	if _, err := c.git(ctx, c.top, "init", "-q", "--bare", c.hub); err != nil {
		return err
	}
	if _, err := c.lab.git(ctx, c.hub, []byte(c.firstCommit()), "fast-import", "--quiet"); err != nil {
		return err
	}
	for i := range c.size.agents {
		args := []string{"clone", "-q", "-c", "core.hooksPath=" + hooks}
		if c.plans {
			args = append(args, "-c", "ralph.claims.remote=origin", "-c", "ralph.target=main")
		}
		if _, err := c.git(ctx, c.top, append(args, c.hub, c.dir(i))...); err != nil {
			return err
		}
	}
	return nil
}

// firstCommit has 200 files, and where there is a plan a task for each change.
func (c *crowd) firstCommit() string {
	files := map[string]string{"hot": "hot\n"}
	for n := range 200 {
		files[fileName(n)] = "x\n"
	}
	if c.plans {
		plan := `{"t": "spec", "spec": "bench.md"}` + "\n"
		for i := range c.size.agents {
			for n := range c.size.changes {
				plan += fmt.Sprintf(`{"t": "task", "id": %q, "spec": "bench.md", "name": "Change it", "s": "p", "created_at": "2026-01-01T00:00:00.000Z"}`+"\n", taskOf(i, n))
			}
		}
		files["ralph/plan.jsonl"] = plan
	}
	stream := "commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\ndata 0\n"
	for name, text := range files {
		stream += fmt.Sprintf("M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
	}
	return stream
}

func taskOf(agent, n int) string { return fmt.Sprintf("t-%04d", 1000+100*agent+n) }

func (c *crowd) dir(agent int) string { return filepath.Join(c.top, fmt.Sprint("agent-", agent)) }

func (c *crowd) git(ctx context.Context, dir string, args ...string) (string, error) {
	return c.lab.git(ctx, dir, nil, args...)
}
