package hubcmd_test

import (
	"strings"
	"testing"
)

// TestRunSends guards: the end of `workplan run` sends the hub what an agent changed in the file by hand.
func TestRunSends(t *testing.T) {
	u := newUser(t)
	u.must(0, "trust", "--yes")
	u.Git("config", "ralph.agent", `sh -c "sed -i.bak 's/todo/done/' workplans/w.md"`)
	out := u.must(0, "workplan", "run", "workplans/w.md", "--once")
	if sent := u.hub.status["h-1"] == "done" && u.hub.status["h-2"] == "done"; !sent && !strings.Contains(out, "in the queue") { // a busy machine
		t.Errorf("the hub says %v: %s", u.hub.status, out)
	}
}

// TestTaskOfPlanQueues guards: what a change of the plan does to a workplan's block is queued for the hub with that change; a rejection
// takes nothing back there, and what a worker's branch says waits until it has landed.
func TestTaskOfPlanQueues(t *testing.T) {
	u := newUser(t)
	u.Commit("ids of the plan", map[string]string{"workplans/w.md": strings.ReplaceAll(file, "id: T-", "id: t-task")})
	u.must(0, "init", "--yes")
	u.must(0, "workplan", "import", "workplans/w.md")
	u.must(0, "task", "done", "t-task1", "--dry-run")
	u.must(0, "hub", "sync", "--queued")
	u.must(0, "task", "done", "t-task1")
	if len(u.hub.requests) > 0 {
		t.Errorf("before a command of workplans, the hub was sent %q", u.hub.requests)
	}
	u.must(0, "hub", "sync", "--queued")
	if u.hub.status["h-1"] != "done" || u.hub.status["ws-1"] != "active" {
		t.Errorf("the hub says %v", u.hub.status)
	}
	u.must(0, "task", "reject", "t-task1", "it is not")
	u.must(0, "hub", "sync", "--queued")
	if u.hub.status["h-1"] != "done" {
		t.Errorf("a rejection took back what the hub says: %v", u.hub.status)
	}
	u.Git("switch", "-q", "-c", "ralph-work/t-task2.abcd")
	u.must(0, "task", "done", "t-task2")
	u.must(0, "hub", "sync", "--queued")
	if u.hub.status["h-2"] != "todo" {
		t.Errorf("what has not landed was sent: %v", u.hub.status)
	}
	u.Git("switch", "-q", "main")
	u.Git("merge", "-q", "ralph-work/t-task2.abcd")
	u.must(0, "task", "done", "t-task1")
	u.must(0, "hub", "sync", "--queued")
	if u.hub.status["h-2"] != "done" {
		t.Errorf("what has landed was not sent with the next change: %v", u.hub.status)
	}
}
