//go:build unix

package main

import (
	"os"
	"strings"
	"testing"
)

// TestWorkplanRunInterrupted guards: two Ctrl-C end `workplan run` and its agent with all that it started, also what it moved into a
// session of its own; the workplan is as it was, and the next run goes on with it.
func TestWorkplanRunInterrupted(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, `BUILD T1
  daemon ../daemon
  run echo $PPID >../agent
  sleep 1h
BUILD T1
  run git ralph workplan done-task w.md T1 && git ralph workplan close w.md
`)
	w.Commit("workplan", map[string]string{"w.md": "---\nid: W\ntitle: One\nstatus: active\n---\n```task\nid: T1\nstatus: todo\n```\n"})
	before := w.Git("rev-parse", "HEAD")
	b := w.start("workplan", "run", "w.md")
	agent, daemon := w.await("agent"), w.await("daemon")
	b.interruptOnce(t)
	b.Process.Signal(os.Interrupt)
	if code := b.code(); code != 130 {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	if running(agent) || running(daemon) {
		t.Error("the agent lives, or what it started")
	}
	if after := w.Git("rev-parse", "HEAD"); after != before || w.Git("status", "--porcelain") != "" {
		t.Error("something changed")
	}
	if out := w.ralph("workplan", "run", "w.md"); !strings.Contains(out, "\ncomplete\n") {
		t.Errorf("the next run: %s", out)
	}
}
