//go:build unix

package land_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/claim/authority"
	"git-ralph/internal/land"
	"git-ralph/internal/proc"
	"git-ralph/internal/store"
	"git-ralph/internal/test/gittest"
)

// TestMain lets the test binary be a landing that is killed.
func TestMain(m *testing.M) {
	if os.Getenv("LAND_TEST_CHILD") != "" {
		if err := landAll(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// landAll lands what waits in the repository that the process was started in.
func landAll() error {
	ctx := context.Background()
	st, err := store.Open(ctx, store.Options{Dir: ".", Environ: os.Environ(), Random: rand.IntN, Now: time.Now})
	if err != nil {
		return err
	}
	claims, err := authority.Open(ctx, st.Repo())
	if err != nil {
		return err
	}
	o := land.Options{Into: target, All: true}
	if err := o.Configure(ctx, st); err != nil {
		return err
	}
	o.Wait = time.Minute
	_, err = land.Run(ctx, st, claims, o)
	return err
}

// A landing that is killed at any moment has landed a branch with its claim or has not, and the next one makes good what it left in
// the worktree of the target, which is checked out. LAND_KILLS sets how often.
func TestKilledLandings(t *testing.T) {
	kills := 6
	if n, err := strconv.Atoi(os.Getenv("LAND_KILLS")); err == nil {
		kills = n
	}
	s := newSite(t, kills, map[string]string{"old": "x\n"})
	s.Git("checkout", "-q", "main")
	names := s.branches(kills, func(n int, w *work) { w.files["d/all"+strconv.Itoa(n)] = strings.Repeat("x\n", 1000) })
	s.WriteFile("old", "of the user\n")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	long := 200 * time.Millisecond
	for i, name := range names {
		s.finish(i+1, name)
		child := exec.Command(exe)
		child.Dir, child.Env = s.Dir, append(s.Env, "LAND_TEST_CHILD=1")
		began := time.Now()
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			time.Sleep(rand.N(long))
			child.Process.Kill() //nolint:errcheck // it may have ended
		}
		child.Wait() //nolint:errcheck // it was killed
		if i == 0 {
			long = time.Since(began)
		}
		gittest.Await(t, "the end of its git, which may be in the middle of the transaction", func() bool {
			return !isRunningIn(s.Dir, "git") && !isRunningIn(s.Dir, filepath.Base(exe)) // which a child is called until it is git
		})
		for n := range i + 1 {
			if done, claimed := strings.Contains(s.shown(n+1), `"s": "d"`), s.claimed(n+1).Exists(); done == claimed {
				t.Errorf("task %d: done %v, claimed %v", n+1, done, claimed)
			}
		}
	}
	s.land(land.Options{All: true})
	if n := strings.Count(s.Git("show", "main:ralph/plan.jsonl"), `"s": "d"`); n != kills {
		t.Errorf("%d tasks are done, want %d", n, kills)
	}
	if got := s.Git("status", "--porcelain"); got != " M old" {
		t.Errorf("the worktree is not as it should be:\n%s", got)
	}
	s.Fsck()
}

// isRunningIn reports whether a program runs in a directory, or that cannot be said at the moment.
func isRunningIn(dir, program string) bool {
	const longest = 15 // of the names that Linux keeps
	running, known := proc.RunningIn(program[:min(longest, len(program))], dir)
	return len(running) > 0 || !known && runtime.GOOS == "linux"
}

// A check does not go on after a landing that was killed: the next one ends it, whatever it lands, with all that it has started, and deletes
// its worktree.
func TestKilledLandingsCheck(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := newSite(t, 2, nil)
	names := s.branches(2, nil)
	s.finish(1, names[0])
	pids := s.Path("../pids")
	s.Git("config", "ralph.land.check", "trap '' TERM; sleep 1000 & echo $$ $! >'"+pids+".new'; pwd >>'"+pids+".new'; mv '"+pids+".new' '"+pids+"'; wait; wait")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(exe)
	child.Dir, child.Env = s.Dir, append(s.Env, "LAND_TEST_CHILD=1", "TMPDIR="+os.Getenv("TMPDIR"))
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	gittest.Await(t, "the check began", func() bool { _, err := os.Stat(pids); return err == nil })
	child.Process.Kill() //nolint:errcheck // it waits for the check
	child.Wait()         //nolint:errcheck // it was killed
	text, _ := os.ReadFile(pids)
	running := strings.Fields(string(text))
	s.Git("config", "--unset", "ralph.land.check")
	if _, got := s.land(land.Options{Branches: names[1:]}); got[names[1]].Outcome != land.Landed {
		t.Errorf("%+v", got)
	}
	for _, pid := range running[:2] {
		if state, _ := s.Run("ps", "-o", "stat=", "-p", pid); state != "" && !strings.HasPrefix(state, "Z") {
			t.Errorf("process %s of the check still runs: %s", pid, state)
		}
	}
	if dir := running[len(running)-1]; !strings.Contains(dir, "git-ralph-check-") {
		t.Errorf("the check ran in %s", dir)
	} else if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s is still there", dir)
	}
}
