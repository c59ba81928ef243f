package cli

import (
	"encoding/json"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/test/gittest"
)

// jsonCalls are arguments with which each command that accepts --json succeeds, in the repository of jsonRepo.
func jsonCalls() map[string]string {
	return map[string]string{
		"": "", "init": "--no-install --yes", "install": "", "uninstall": "--yes", "doctor": "", "plan": "coverage.md --dry-run", "build": "--dry-run", "team run": "--dry-run", "hero": "--dry-run", "work": "--dry-run", "work clean": "",
		"trust": "--yes", "trust check": "t-done --yes", "verify": "", "logs": "--list", "status": "", "query": "", "query tasks": "", "query issues": "", "query items": "", "item add": "New", "item edit": "w-1a2b --estimate S", "item move": "w-1a2b Done", "item list": "", "item show": "w-1a2b", "query stage": "", "query next": "",
		"query conflicts": "", "task add": "New", "task done": "t-1a2b", "task accept": "t-done", "task reject": "t-done no", "task cancel": "t-1a2b",
		"task decompose": "t-1a2b --task Half --task Rest", "task kill": "t-1a2b timeout", "task edit": "t-1a2b --name Other", "task list": "", "task show": "t-1a2b",
		"claim": "t-1a2b", "claim next": "", "claim renew": "t-1a2b", "claim release": "t-1a2b", "claim steal": "t-1a2b", "claim list": "",
		"unclaim": "t-1a2b", "issue add": "Slow", "issue edit": "i-1a2b --priority low", "issue done": "i-1a2b", "issue list": "", "issue show": "i-1a2b", "pipeline position": "w-1a2b", "pipeline streams": "w-1a2b",
		"pipeline plan": "w-1a2b", "pipeline status": "", "pipeline approve": "w-3c4d", "pipeline reject": "w-3c4d no",
		"set-spec": "other.md", "check": "", "diff": "", "log": "", "show": "t-1a2b", "graph": "", "timeline": "", "burndown": "", "restore": "t-gone", "undo": "", "redo": "", "land": "topic", "fmt": "", "resolve": "",
		"merge-preview": "HEAD", "version": "", "workplan loop start": "plan.md --session s1", "workplan loop status": "",
		"workplan check": "done.md", "workplan status": "plan.md", "workplan list": "", "workplan next": "plan.md", "workplan new": "--title New",
		"workplan start-task": "plan.md a", "workplan import": "plan.md", "workplan export": "new.md", "workplan done-task": "plan.md a", "workplan close": "done.md", "workplan run": "plan.md --dry-run",
		"agent install": "claude", "agent uninstall": "claude", "agent list": "", "debug collate": "--since 2020-01-01", "debug stats": "",
	}
}

// jsonRepo has something for each command to work on.
func jsonRepo(t *testing.T) *term.Env {
	t.Helper()
	r := gittest.NewRepo(t)
	r.WriteFile("ralph/specs/coverage.md", "Cover it.\n")
	r.WriteFile("ralph/specs/other.md", "Other.\n")
	head := commitPlan(r, specRow, openRow, `{"t": "task", "id": "t-gone", "spec": "coverage.md", "name": "Gone", "s": "p"}`)
	commitPlan(r, openRow, specRow, `{"t": "task", "id": "t-done", "spec": "coverage.md", "name": "Done", "s": "d", "done_at": "`+head[:12]+`", "attempt": "aaaa", "check": "true"}`,
		`{"t": "issue", "id": "i-1a2b", "spec": "coverage.md", "desc": "Found"}`, `{"t": "item", "id": "w-1a2b", "name": "Item", "state": "Backlog"}`,
		`{"t": "item", "id": "w-3c4d", "name": "Reviewed", "state": "Plan in Review"}`,
		`{"t": "task", "id": "t-w-3c4d-plan", "name": "Plan w-3c4d", "s": "d", "done_at": "`+head[:12]+`", "attempt": "bbbb", "check": "true", "meta": {"issue_number": "w-3c4d"}}`,
		`{"t": "task", "id": "t-w-3c4d-review", "name": "Review plan w-3c4d", "deps": ["t-w-3c4d-plan"], "s": "p", "meta": {"issue_number": "w-3c4d", "awaits_approval": true}}`)
	r.WriteFile(".git/ralph/debug/s1.jsonl", `{"at": "2026-02-22T08:00:00.000Z", "category": "tool", "name": "Bash", "result": "error", "type": "failed", "error": "no"}`+"\n")
	r.Git("config", "ralph.agent", "true")
	r.Git("config", "ralph.checks.allow", "true")
	r.Git("branch", "topic", r.Git("commit-tree", "-p", "HEAD", "-m", "topic", "HEAD^{tree}"))
	r.WriteFile("plan.md", "---\nid: P\ntitle: T\nstatus: active\n---\n```task\nid: a\nstatus: todo\n```\n")
	r.WriteFile("done.md", "---\nid: D\ntitle: T\nstatus: done\n---\n")
	env := terminalEnv(r)
	withParser(t, env)
	env.Terminal, env.Colour, env.Random = false, false, rand.IntN
	return env
}

// TestWhateverAcceptsJSONPrintsJSON guards: a command either refuses --json as a wrong command line, or prints JSON and nothing else.
// A command that is new in the tree must say here how it is called.
func TestWhateverAcceptsJSONPrintsJSON(t *testing.T) {
	calls := jsonCalls()
	for _, path := range helpPaths(&term.Env{}) {
		line, err := cmdline.ParseLine(NewApp(&term.Env{}), append(strings.Fields(path), "--json"))
		if err != nil || line.Raw || strings.HasPrefix(path, "hub ") || strings.HasPrefix(path, "github ") { // git-ralph-ui does these: see hubcmd and githubcmd
			continue
		}
		arguments, known := calls[path]
		if !known {
			t.Errorf("%s accepts --json: say here with which arguments it succeeds", path)
			continue
		}
		env := jsonRepo(t)
		switch path {
		case "redo":
			runIn(t, env, "undo")
		case "claim renew", "claim release", "unclaim":
			runIn(t, env, "claim", arguments)
		}
		out, errs, code := runIn(t, env, append(strings.Fields(path+" "+arguments), "--json")...)
		if code != cmdline.ExitDone && path != "doctor" { // which finds what is wrong with a machine that runs tests
			t.Errorf("%s --json: exit code %d: %s%s", path, code, out, errs)
		}
		if err := isJSON(out); err != nil {
			t.Errorf("%s --json: %v in %q", path, err, out)
		}
		delete(calls, path)
	}
	for path := range calls {
		t.Errorf("%s does not accept --json", path)
	}
}

// isJSON returns an error where a text is not JSON values, one at least.
func isJSON(text string) error {
	values := json.NewDecoder(strings.NewReader(text))
	var value any
	err := values.Decode(&value)
	for err == nil {
		if err = values.Decode(&value); err == io.EOF {
			return nil
		}
	}
	return err
}
