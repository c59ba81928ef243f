//go:build unix

package main

import (
	"strconv"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// TestStatusOfALiveRun guards: another terminal sees who runs, on what, and follows what the agent prints.
func TestStatusOfALiveRun(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, "BUILD\n  say the first words\n"+strings.TrimPrefix(slow, "BUILD t-one\n"), "one", "two")
	b := w.build()
	w.await("agent")
	var status string
	gittest.Await(t, "the first report", func() bool {
		status = w.ralph("status")
		return strings.Contains(status, `"iteration": 1`)
	})
	for _, want := range []string{`"pid": ` + strconv.Itoa(b.Process.Pid), `"stage": "BUILD", "id": "t-one"`} {
		if !strings.Contains(status, want) {
			t.Errorf("no %s in %s", want, status)
		}
	}
	if logs := w.ralph("logs"); !strings.Contains(logs, "the first words") {
		t.Errorf("logs: %s", logs)
	}
	follow := w.command("logs", "-f")
	var followed output
	follow.Stdout = &followed
	if err := follow.Start(); err != nil {
		t.Fatal(err)
	}
	followed.await(t, "the first words")
	w.WriteFile("../go", "")
	if code := b.code(); code != 0 {
		t.Errorf("exit code %d\n%s", code, &b.out)
	}
	if err := follow.Wait(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"iteration 2: BUILD t-two", "iteration 3: VERIFY", "task_id"} {
		if !strings.Contains(followed.String(), want) {
			t.Errorf("no %q was followed:\n%s", want, followed.String())
		}
	}
	if status := w.ralph("status"); !strings.Contains(status, `"run": null`) {
		t.Errorf("after the end: %s", status)
	}
	w.reported("done t-one", "done t-two", "accepted t-one", "accepted t-two")
}
