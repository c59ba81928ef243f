//go:build agents && linux

package realagent

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestClaudeTeamKilled guards: a team and its workers are killed while two Claude Code agents work, which go on without them. The
// next run ends these agents and continues: each task lands once and is accepted once, and nothing is left behind.
func TestClaudeTeamKilled(t *testing.T) {
	m := model(t)
	m.start.expect(2)
	r, mark := teamWorkshop(t, m)
	before := own(r)
	var out bytes.Buffer
	first := exec.Command(filepath.Join(filepath.Dir(r.Dir), "bin", "git-ralph"), "team", "run", "--roster", "builder=2,validator=1", "--agent", "claude")
	first.Dir, first.Env, first.Stdout, first.Stderr = r.Dir, r.Env, &out, &out
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		first.Wait() //nolint:errcheck // it is killed
		close(ended)
	}()
	select {
	case <-m.start.all:
	case <-ended:
		t.Fatalf("the team ended before both agents worked\n%s", &out)
	}
	killed := killWorkers(mark)
	<-ended
	t.Logf("killed %d: %s", killed, &out)
	if killed < 3 {
		t.Error("the team and two workers were not there to be killed")
	}
	runTeam(t, r, m)
	if after := own(r); after != before {
		t.Errorf("what is the user's changed:\n%s\nbefore:\n%s", after, before)
	}
	checkTarget(t, r)
	checkLeft(t, r, mark)
}

// killWorkers kills a team and its workers, and leaves their agents alive.
func killWorkers(mark string) int {
	n := 0
	for _, pid := range processes(mark) {
		data, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		words := strings.Split(string(data), "\x00")
		if filepath.Base(words[0]) == "git-ralph" && slices.Contains([]string{"team", "work"}, words[1]) {
			syscall.Kill(pid, syscall.SIGKILL)
			n++
		}
	}
	return n
}
