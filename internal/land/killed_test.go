//go:build unix

package land_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/claim/authority"
	"git-ralph/internal/land"
	"git-ralph/internal/store"
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
