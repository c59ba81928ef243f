//go:build unix

package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// A stageCase is a plan in one stage, the block that an agent should end with there, and what the log reports of it.
type stageCase struct {
	stage, plan, report string
	reported            []string
}

func stageCases() []stageCase {
	const spec, task = `{"t": "spec", "spec": "s.md"}` + "\n", `{"t": "task", "id": "t-one", "spec": "s.md", "name": "one", `
	return []stageCase{
		{"PLAN", spec, `{"tasks": [{"id": "t-new", "name": "new", "accept": "make test passes"}]}`, []string{"added t-new"}},
		{"BUILD", spec + task + `"s": "p"}`, `{"verdict": "done"}`, []string{"done t-one"}},
		{
			"DECOMPOSE", spec + task + `"s": "p", "kill": "timeout"}`, `{"tasks": [{"id": "t-half", "name": "half"}, {"id": "t-rest", "name": "rest"}]}`,
			[]string{"added t-half", "added t-rest", "decomposed t-one"},
		},
		{
			"VERIFY", spec + task + `"s": "d", "done_at": "0123456789ab", "attempt": "abcd"}`,
			`{"results": [{"task_id": "t-one", "passed": true}]}`,
			[]string{"accepted t-one"},
		},
		{
			"INVESTIGATE", spec + task + `"s": "p", "deps": ["i-one"]}` + "\n" + `{"t": "issue", "id": "i-one", "spec": "s.md", "desc": "why"}`,
			`{"resolved": ["i-one"]}`,
			[]string{"closed i-one", "edited t-one"},
		},
	}
}

// A manner is how an agent behaves at its first start in a run. REPORT stands for a block that is as it should be.
type manner struct{ name, steps, result string }

func manners() []manner {
	return []manner{
		{"works", "REPORT", "progress"},
		{"lies", "say everything is done, and all of it passed", "no progress"},
		{"half a block", `say [RALPH_OUTPUT]{"verdict": "done", "tasks": [{"na`, "no progress"},
		{"no JSON", `report {"verdict": done}`, "no progress"},
		{"two blocks", `report {"verdict": "maybe", "tasks": 1, "results": 2, "resolved": 3}` + "\nREPORT", "progress"},
		{"prints much", "flood 2\nREPORT", "progress"},
		{"dies", "REPORT\ndie", "failed"},
		{"fails", "REPORT\nexit 3", "failed"},
		{"commits rubbish", "run echo x >rubbish; git add -A; git commit -qm rubbish\nREPORT", "progress"},
		{"moves HEAD back", "run git reset -q --hard HEAD~1", "no progress"},
		{edits, `run echo '{"t": "issue", "id": "i-hand", "spec": "s.md", "desc": "by hand"}' >>ralph/plan.jsonl`, "progress"},
		{"breaks the plan", "run echo '{' >>ralph/plan.jsonl\nREPORT", "failed"}, // it is restored
	}
}

// edits is the one of which the log reports something else than of the one that works after it.
const edits = "edits the plan by hand"

// neverEnding are the manners that a limit has to end.
func neverEnding() []manner {
	return []manner{
		{"prints for ever", "run while :; do echo and again; sleep 0.02; done", "killed"},
		{"sleeps", "sleep 60s", "killed"},
		{"does not go", "stubborn\ndaemon ../daemon\nREPORT\nsleep 60s", "killed"},
	}
}

// TestEveryStage guards: in every stage, every manner of an agent comes to what the plan and git say; the log reports that
// and nothing else, nothing is left behind, and the run goes on with an agent that works.
func TestEveryStage(t *testing.T) {
	t.Parallel()
	for _, c := range stageCases() {
		t.Run(c.stage, func(t *testing.T) {
			t.Parallel()
			w := newWorkshop(t, "")
			w.WriteFile("ralph/plan.jsonl", c.plan+"\n")
			w.Git("commit", "-q", "-a", "-m", "plan")
			head := w.Commit("more", map[string]string{"more": "more\n"})
			for _, m := range manners() {
				w.play(c, m, "REPORT")
				w.Git("reset", "-q", "--hard", head)
			}
			w.Git("config", "ralph.timeLimit", "2s")
			w.Git("config", "ralph.idleTimeout", "1s")
			for _, m := range neverEnding() {
				w.play(c, m, "exit 1")
				w.Git("reset", "-q", "--hard", head)
			}
			w.Fsck()
		})
	}
}

// play runs an agent of a manner in a stage, with agents after it that do as instructed, and looks at what came of it.
func (w *workshop) play(c stageCase, m manner, then string) {
	w.t.Helper()
	steps := func(text string) string {
		return "  " + strings.ReplaceAll(strings.ReplaceAll(text, "REPORT", "report "+c.report), "\n", "\n  ") + "\n"
	}
	w.WriteFile("../scenario", c.stage+"\n"+steps(m.steps)+"always "+c.stage+"\n"+steps(then))
	for _, name := range []string{"scenario.used", "daemon"} {
		os.RemoveAll(filepath.Join(w.out, name)) //nolint:errcheck // it may not be there
	}
	before := reportedEvents(w.ralph("log", "--all", "--reverse", "--format", "text"))
	w.WriteFile("../.told", strings.Join(before, "\n"))
	w.planned = nil
	args := []string{"build", "--stage", c.stage}
	if c.stage == "PLAN" {
		args = []string{"plan", "s.md"}
	}
	cmd := w.command(append(args, "--json")...)
	out, _ := cmd.Output()
	code, reported := c.outcome(m)
	if got := cmd.ProcessState.ExitCode(); got != code || !strings.Contains(outcomeIn(out), `"result": "`+m.result+`"`) {
		w.t.Errorf("%s: exit code %d, want %d\n%s", m.name, got, code, out)
	}
	if daemon, err := os.ReadFile(filepath.Join(w.out, "daemon")); err == nil && runtime.GOOS == "linux" {
		if pid, _ := strconv.Atoi(strings.TrimSpace(string(daemon))); running(pid) {
			w.t.Errorf("%s: process %d lives", m.name, pid)
		}
	}
	if left := w.Git("status", "--porcelain"); left != "" {
		w.t.Errorf("%s: left %s", m.name, left)
	}
	w.reported(reported...)
	w.noLocks()
}

// outcome is the exit code of a run and what the log reports of it.
func (c stageCase) outcome(m manner) (code int, reported []string) {
	const noProgress = 7
	switch {
	case m.result == "killed" && c.stage == "BUILD":
		return 0, []string{`killed t-one main one \(timeout\)`} // the plan is in another stage
	case m.result == "killed":
		return noProgress, nil
	case m.name == edits:
		return 0, append([]string{"added i-hand main by hand"}, c.reported...)
	}
	return 0, c.reported
}

// outcomeIn gives the first outcome in the events of a run.
func outcomeIn(events []byte) string {
	for line := range strings.Lines(string(events)) {
		if strings.HasPrefix(line, `{"t": "outcome"`) {
			return line
		}
	}
	return `"result": ""`
}
