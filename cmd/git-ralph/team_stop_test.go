//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// slowInWorktrees is slow for agents in the worktrees of workers.
const slowInWorktrees = `BUILD t-one
  run echo $PPID >../../../../agent
  run while [ ! -e ../../../../go ]; do sleep 0.02; done
  write one.txt one
  report {"verdict": "done", "files": ["one.txt"]}
BUILD t-two
  write two.txt two
  report {"verdict": "done", "files": ["two.txt"]}
always VERIFY
  pass
`

// detachedTeam starts a detached team with one builder, which is at work.
func detachedTeam(t *testing.T, mark string) (*workshop, *build) {
	t.Helper()
	w := newWorkshop(t, slowInWorktrees, "one")
	w.ralph("task", "add", "two", "--id", "t-two", "--dep", "t-one")
	w.Env = append(w.Env, mark)
	b := w.start("team", "run", "--roster", "builder=1", "--detach")
	w.await("agent")
	return w, b
}

// TestDetachedTeamIsStopped guards: build stop ends the workers of a detached team after their iteration, those too whose run is gone, and
// nothing is half applied; with nobody left it says so.
func TestDetachedTeamIsStopped(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"with its run", "without it"} {
		t.Run(how, func(t *testing.T) {
			mark := "RALPH_TEST=" + t.TempDir()
			w, b := detachedTeam(t, mark)
			if how == "without it" {
				b.Process.Kill()
				b.Wait() //nolint:errcheck // it was killed
			}
			said := w.ralph("build", "stop")
			if !strings.Contains(said, "the worker builder-1, process ") || strings.Contains(said, "team run --detach, process ") != (how == "with its run") {
				t.Errorf("it said: %s", said)
			}
			w.WriteFile("../go", "")
			gittest.Await(t, "the end of all processes", func() bool { return len(marked(mark, "")) == 0 })
			if got := w.ralph("query", "tasks"); !strings.Contains(got, `"id": "t-two"`) || strings.Index(got, `"id": "t-one"`) < strings.Index(got, `"done"`) {
				t.Errorf("t-one is to be done, and t-two not begun: %s", got)
			}
			if err := w.command("build", "stop").Run(); exitCode(err) != 3 {
				t.Errorf("with nobody left: %v", err)
			}
		})
	}
}

// TestTeamAfterADetachedOne guards: workers of an earlier, detached, team keep their places in the next one, which shows and counts what
// they do; no process is started in vain.
func TestTeamAfterADetachedOne(t *testing.T) {
	t.Parallel()
	mark := "RALPH_TEST=" + t.TempDir()
	w, b := detachedTeam(t, mark)
	b.Process.Signal(os.Interrupt)
	if code := b.code(); code != 130 {
		t.Fatalf("exit code %d\n%s", code, &b.out)
	}
	b = w.start("team", "run", "--roster", "builder=1", "--json")
	gittest.Await(t, "the second run", func() bool { return strings.Contains(w.ralph("status"), `"state": "runs elsewhere"`) })
	w.WriteFile("../go", "")
	if code := b.code(); code != exitDone {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	all, _ := filepath.Glob(w.Path(".git/ralph/runs/*/report.md")) //nolint:errcheck // the pattern is good
	last, _ := os.ReadFile(all[len(all)-1])
	out, reports := b.out.String(), string(last)
	if strings.Contains(out, `"t": "warning"`) || strings.Count(out, `"t": "worker", `) > 2 || !strings.Contains(reports, "\n2 landed, 0 returned, 0 rejected, 2 accepted.\n") {
		t.Errorf("the second run printed\n%s\nand wrote %s", out, reports)
	}
	gittest.Await(t, "the end of all processes", func() bool { return len(marked(mark, "")) == 0 })
}
