//go:build unix

package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestBuildStop guards: another terminal stops a run after its iteration, or now, and nothing is half applied.
func TestBuildStop(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, slow, "one", "two")
	if err := w.command("build", "stop").Run(); exitCode(err) != 3 {
		t.Errorf("without a run: %v", err)
	}
	b := w.build()
	w.await("agent")
	if said := w.ralph("build", "stop"); !strings.Contains(said, "stops after this iteration") {
		t.Errorf("said %s", said)
	}
	w.WriteFile("../go", "")
	if code := b.code(); code != 130 {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	w.reported("done t-one")
	if status := w.ralph("status"); !strings.Contains(status, `"why": "interrupted"`) || !strings.Contains(status, `"done": 1, "accepted": 0`) {
		t.Errorf("status after the run: %s", status)
	}
}

// TestBuildStopNow guards: --now ends the agent too.
func TestBuildStopNow(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, slow, "one", "two")
	b := w.build()
	agent := w.await("agent")
	w.ralph("build", "stop", "--now")
	if code := b.code(); code != 130 {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	if running(agent) {
		t.Error("the agent lives")
	}
	w.reported()
}

func exitCode(err error) int {
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode()
	}
	return 0
}
