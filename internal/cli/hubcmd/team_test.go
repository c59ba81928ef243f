package hubcmd_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sets returns what the statuses of tasks were set to, each once: setting one again does no harm.
func (h *restHub) sets() (all []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.requests {
		if change, ok := strings.CutPrefix(r, "PATCH /tasks/"); ok {
			all = append(all, change)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

const always = `always BUILD
  write {id}.txt {id}
  report {"verdict": "done", "files": ["{id}.txt"]}
always VERIFY
  pass
`

// tenTasks is a workplan that is bound to a hub.
func tenTasks() string {
	text := "---\nid: W\ntitle: Ten files\nstatus: active\nstate_hub_workstream_id: ws-1\n---\n"
	for i := range 10 {
		text += fmt.Sprintf("## Task: Write %d\n\nText.\n\n~~~ task\nid: W-T%[1]d\nstatus: todo\nstate_hub_task_id: h-%[1]d\n~~~\n", i)
	}
	return text
}

// newTeam makes a repository with that workplan, imported, whose hub has it too.
func newTeam(t *testing.T) *user {
	u := newUser(t)
	for i := range 10 {
		u.hub.status[fmt.Sprintf("h-%d", i)] = "todo"
	}
	u.Commit("workplan", map[string]string{"workplans/w.md": tenTasks()})
	u.WriteFile("../scenario", always)
	u.Git("config", "ralph.agent", "scripted-agent '"+filepath.Join(filepath.Dir(u.Dir), "scenario")+"'")
	u.must(0, "init", "--yes")
	u.must(0, "workplan", "import", "workplans/w.md")
	return u
}

// TestTeamFinishesWorkplan guards: a workplan of ten tasks goes through import and a team of three workers. Then every block is done, the
// file is closed, the hub says the same, with one milestone, and an export gives the same file.
func TestTeamFinishesWorkplan(t *testing.T) {
	t.Parallel()
	u := newTeam(t)
	out, err := u.Repo.Run("sh", "-c", "git ralph team run builder=3 validator=1 2>&1")
	if err != nil || !strings.Contains(out, "\ncomplete\n") || !strings.Contains(out, "10 accepted") ||
		!strings.Contains(out, "note: closed workplans/w.md: all its tasks are done") {
		t.Errorf("%v\n%s", err, out)
	}
	if got := u.Git("ralph", "workplan", "check", "workplans/w.md"); got != "W is done" {
		t.Error(got)
	}
	if status := u.Git("status", "--porcelain"); status != "" {
		t.Errorf("left %s", status)
	}
	was := u.ReadFile("workplans/w.md")
	if got := u.Git("ralph", "workplan", "export", "workplans/w.md"); !strings.Contains(got, "nothing to change") || u.ReadFile("workplans/w.md") != was {
		t.Errorf("export: %s", got)
	}
	if want := strings.ReplaceAll(strings.Replace(tenTasks(), "status: active", "status: done", 1), "status: todo", "status: done"); was != want {
		t.Errorf("more than statuses changed:\n%s", was)
	}
	if got := u.Git("log", "-1", "--format=%s"); got != "ralph: close W Ten files" {
		t.Error(got)
	}
	u.must(0, "hub", "sync", "--queued") // should this machine be too busy for what the team waits
	u.must(0, "hub", "check", "workplans/w.md")
	sets := u.hub.sets()
	isOther := func(set string) bool { return !strings.HasSuffix(set, `{"status":"done"}`) }
	if slices.ContainsFunc(sets, isOther) || len(sets) != 10 || u.hub.status["ws-1"] != "done" || len(u.hub.events) != 1 ||
		!strings.Contains(u.hub.events[0], `"topic_id":"t-9"`) {
		t.Errorf("the hub was sent %q, %q", sets, u.hub.events)
	}
	u.Fsck()
}

// TestTeamSends guards: a team run that ends before the plan is complete sends the hub what the workplan says, and closes nothing.
func TestTeamSends(t *testing.T) {
	t.Parallel()
	u := newTeam(t)
	u.Commit("by hand", map[string]string{"workplans/w.md": strings.Replace(u.ReadFile("workplans/w.md"), "todo", "done", 1)})
	if out, err := u.Repo.Run("git", "ralph", "team", "run", "builder=1", "--max-time", "1ns"); err == nil || !strings.Contains(out, "limit reached") {
		t.Errorf("%v\n%s", err, out)
	}
	u.must(0, "hub", "sync", "--queued")
	if got := strings.Join(u.hub.sets(), ", "); got != `h-0 {"status":"done"}` || len(u.hub.events) != 0 {
		t.Errorf("the hub was sent %q, %q", got, u.hub.events)
	}
}
