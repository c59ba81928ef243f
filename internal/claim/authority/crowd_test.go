//go:build unix

package authority_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"git-ralph/internal/test/gittest"
)

// A crowd is worker processes in worktrees and clones that share a remote. Each claims some tasks, makes a commit that adds a file
// for each, sets the claims to landing, and lands whatever it sees in landing, until all tasks have landed. The test kills and
// stops them at random. Nothing here relies on how long anything takes: a slow machine makes more claims stale, not fewer safe.
type crowd struct {
	tasks, workers, clones int
	lease                  time.Duration

	bare   *gittest.Repo
	places []*gittest.Repo
	ended  string // file with the names of workers that were killed, or gave up a claim
	calls  string // file with what they wrote down
}

// crowdHook writes down each transaction while the references are locked: see testdata/crowd.awk.
const crowdHook = `#!/bin/sh
exec >>"$GIT_DIR/../log"
case $1 in
committed | aborted | prepared) read -r now rest </proc/uptime || now=$(date +%s) ;;
esac
case $1 in
committed | aborted) echo "$1 $PPID $now" ;;
prepared)
	echo "begin $now $PPID"
	while read -r change; do echo "change $PPID $change"; done
	;;
esac
`

// populate makes the remote and the places to work in: clones, each with a linked worktree.
func (c *crowd) populate(t *testing.T) {
	p := remotePlace(t)
	c.bare = p.bare
	c.bare.Git("update-ref", "refs/heads/target", c.bare.Git("commit-tree", "-m", "start", c.bare.GitIn("", "mktree")))
	c.bare.WriteFile("hooks/reference-transaction", crowdHook)
	if err := os.Chmod(c.bare.Path("hooks/reference-transaction"), 0o777); err != nil {
		t.Fatal(err)
	}
	c.bare.Git("config", "receive.autogc", "false") // it would lose what the log is about
	for i := range c.clones {
		name := fmt.Sprint("../crowd", i)
		c.bare.Git("clone", "-q", "-o", "hub", "--no-checkout", c.bare.Dir, name)
		clone := c.bare.At(name)
		clone.Git("config", "ralph.claims.remote", "hub")
		clone.Git("worktree", "add", "-q", "--detach", "--no-checkout", name+"-linked", "hub/main")
		c.places = append(c.places, clone, c.bare.At(name+"-linked"))
	}
	c.ended = c.bare.Path("../ended")
	appendLine(c.ended, "nobody")
	c.calls = c.bare.Path("../calls")
}

// Each task lands once, under a claim that the same transaction ended, although workers are killed and stopped at random.
// GIT_RALPH_CROWD="TASKS WORKERS CLONES" makes the crowd larger.
func TestCrowd(t *testing.T) {
	c := &crowd{tasks: 200, workers: 16, clones: 4, lease: 3 * time.Second}
	if size := os.Getenv("GIT_RALPH_CROWD"); size != "" {
		if n, err := fmt.Sscan(size, &c.tasks, &c.workers, &c.clones); n != 3 {
			t.Fatalf("invalid GIT_RALPH_CROWD %q: %v", size, err)
		}
		c.lease = 10 * time.Second
	}
	c.populate(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := t.Context(), func() {}
	if end, ok := t.Deadline(); ok {
		ctx, cancel = context.WithDeadline(ctx, end.Add(-time.Minute))
	}
	defer cancel()
	var group sync.WaitGroup
	for i := range c.workers {
		group.Go(func() { c.run(ctx, t, exe, i) })
	}
	group.Wait()
	c.check(t)
}

// run starts a worker, again and again until one ends by itself: every other one is killed or stopped a few times.
func (c *crowd) run(ctx context.Context, t *testing.T, exe string, i int) {
	random := rand.New(rand.NewPCG(uint64(i), 2))
	place := c.places[i%len(c.places)]
	for n := 0; ctx.Err() == nil; n++ {
		worker := exec.CommandContext(ctx, exe)
		worker.Dir = place.Dir
		worker.Env = append(slices.Clip(place.Env), "CLAIM_TEST_CHILD=crowd", fmt.Sprint("CLAIM_TEST_TASKS=", c.tasks), "CLAIM_TEST_ENDED="+c.ended, "CLAIM_TEST_CALLS="+c.calls, "CLAIM_TEST_LEASE="+c.lease.String(), "CLAIM_TEST_HUB="+c.bare.Dir)
		var failure strings.Builder
		worker.Stderr = &failure
		out, err := worker.StdoutPipe()
		if err == nil {
			err = worker.Start()
		}
		if err != nil {
			t.Error(err)
			return
		}
		killed := i%2 == 0 && n < 3 && c.disturb(worker.Process, out, random)
		io.Copy(io.Discard, out) //nolint:errcheck // until it ends
		err = worker.Wait()
		appendLine(c.calls, fmt.Sprint("died ", worker.Process.Pid, " - ", uptime().Seconds()))
		if !killed {
			if err != nil && ctx.Err() == nil {
				t.Error(err, failure.String())
			}
			return
		}
	}
}

// disturb stops a worker that has claims for longer than its lease, or kills it. It reports whether it killed it.
func (c *crowd) disturb(worker *os.Process, out io.Reader, random *rand.Rand) (killed bool) {
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "working\n" {
		return false
	}
	time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond)
	if random.IntN(2) == 0 {
		worker.Signal(syscall.SIGSTOP) //nolint:errcheck // it may have ended
		time.Sleep(c.lease * 2)
		worker.Signal(syscall.SIGCONT) //nolint:errcheck // see above
		return false
	}
	appendLine(c.ended, fmt.Sprint("w", worker.Pid))
	worker.Kill() //nolint:errcheck // see above
	return true
}

// check has the log read by a script that shares nothing with the program.
func (c *crowd) check(t *testing.T) {
	objects := map[string]bool{} // each once: a push that is refused, and made again, names the same
	for line := range strings.Lines(c.bare.ReadFile("../log")) {
		if fields := strings.Fields(line); fields[0] == "change" {
			objects[fields[3]] = true
		}
	}
	list := strings.Join(slices.Sorted(maps.Keys(objects)), "\n") + "\n"
	c.bare.WriteFile("../objects", c.bare.GitIn(list, "cat-file", "--batch"))
	kept := ""
	for _, place := range c.places {
		kept += place.Git("rev-list", "--branches") + "\n"
	}
	c.bare.WriteFile("../kept", kept)
	out, err := exec.Command("awk", "-v", fmt.Sprint("tasks=", c.tasks), "-v", fmt.Sprint("lease=", c.lease.Seconds()),
		"-f", "testdata/crowd.awk", c.ended, c.bare.Path("../objects"), c.bare.Path("../log"), c.calls, c.bare.Path("../kept")).CombinedOutput()
	if t.Logf("%s", out); err != nil {
		t.Error(err)
	}
	c.bare.Fsck()
}
