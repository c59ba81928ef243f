package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Everything that an agent does with a task goes through tools, and the plan and git have it afterwards.
func TestATaskFromAddToAccept(t *testing.T) {
	r := newRepo(t, plan)
	added := one(t, r, "task_change", `{"op": "add", "fields": [{"name": "Third", "priority": "high", "notes": "--force"}]}`)
	var outcome struct {
		Changed []struct{ ID string }
		Stage   string
	}
	if json.Unmarshal(added.Result, &outcome) != nil || len(outcome.Changed) != 1 {
		t.Fatal(added.text)
	}
	id := outcome.Changed[0].ID
	taken := one(t, r, "claim", `{"op": "take", "ids": ["`+id+`"]}`)
	var claims struct{ Claimed []struct{ Token string } }
	if json.Unmarshal(taken.Result, &claims) != nil || len(claims.Claimed) != 1 {
		t.Fatal(taken.text)
	}
	token := claims.Claimed[0].Token
	r.WriteFile(".git/ralph/debug/s1.jsonl", `{"at": "2026-02-22T08:00:00.000Z", "category": "tool", "name": "Bash", "result": "error", "type": "failed", "error": "no"}
{"at": "2026-02-22T08:00:00.000Z", "category": "git", "name": "push", "result": "ok"}
`)
	for _, step := range []struct{ tool, arguments, want string }{
		{"query", `{"what": "next", "claim": "TOKEN"}`, `"own":true`},
		{"query", `{"what": "tasks", "search": "third"}`, `"id":"ID"`},
		{"task_change", `{"op": "edit", "ids": ["ID"], "fields": [{"notes": null, "labels": ["a"]}], "claim": "TOKEN"}`, `"labels":["a"]`},
		{"claim", `{"op": "renew", "claim": "TOKEN"}`, `"renewed":["ID"]`},
		{"claim", `{"op": "list", "claim": "TOKEN"}`, `"own":true`},
		{"task_change", `{"op": "done", "ids": ["ID"], "claim": "TOKEN"}`, `"committed":true`},
		{"task_change", `{"op": "reject", "ids": ["ID"], "reason": "--force is no reason"}`, `--force is no reason`},
		{"task_change", `{"op": "done", "ids": ["ID"]}`, `"committed":true`},
		{"task_change", `{"op": "edit", "ids": ["ID"], "fields": "{\"labels\": [\"b\"]}"}`, `"labels":["b"]`},
		{"task_change", `{"op": "decompose", "ids": ["t-2"], "fields": [{"name": "A"}, {"name": "B"}]}`, `"name":"B"`},
		{"verify", `{"ids": ["t-1"], "dry_run": true}`, ``},
		{"task_change", `{"op": "accept", "ids": ["ID"]}`, `"committed":true`},
		{"show", `{"id": "ID"}`, `"status":"accepted"`},
		{"log", `{"id": "ID"}`, `"event":"accepted"`},
		{"issue_change", `{"op": "add", "fields": {"desc": "found"}}`, `"committed":true`},
		{"query", `{"what": "issues"}`, `"desc":"found"`},
		{"query", `{"what": "conflicts"}`, `[]`},
		{"collate_debug", `{"since": "2020-01-01", "dry_run": true}`, `"committed":false`},
		{"collate_debug", `{"since": "2020-01-01"}`, `"labels":["debug-auto"]`},
		{"debug_stats", `{"since": "2020-01-01", "by": "category", "limit": 1}`, `"cursor"`},
		{"debug_stats", `{"since": "2020-01-01"}`, `"success_rate":0.0000`},
	} {
		named := strings.NewReplacer("ID", id, "TOKEN", token)
		got := one(t, r, step.tool, named.Replace(step.arguments))
		if want := named.Replace(step.want); !strings.Contains(got.text, want) || want != "" && got.Exit != 0 {
			t.Errorf("%s %s: got %s, want %s", step.tool, step.arguments, got.text, want)
		}
	}
}

// An error is a result, with the message, the hint and the exit code of the command line, and nothing was changed.
func TestErrorsAreResults(t *testing.T) {
	r := newRepo(t, plan)
	taken := one(t, r, "claim", `{"op": "take", "ids": ["t-1"]}`)
	var claims struct{ Claimed []struct{ Token string } }
	if json.Unmarshal(taken.Result, &claims) != nil || len(claims.Claimed) != 1 {
		t.Fatal(taken.text)
	}
	foreign := strings.Repeat("z", len(claims.Claimed[0].Token))
	for _, c := range []struct {
		tool, arguments string
		exit            int
		message, hint   string
	}{
		{"task_change", `{"op": "done", "ids": ["t-none"]}`, 1, "no such task in the plan: t-none", "shows the ids there are"},
		{"task_change", `{"op": "done", "ids": ["t-1"]}`, 4, "t-1 is claimed by", "--force"},
		{"task_change", `{"op": "done", "ids": ["t-1"], "claim": "` + foreign + `"}`, 4, "t-1 is claimed by", ""},
		{"task_change", `{"op": "done", "ids": ["t-1"], "claim": "t-1:` + foreign + `"}`, 4, "your claim is lost", "stop working on it"},
		{"task_change", `{"op": "done", "ids": ["t-1"], "claim": "no token"}`, 2, "invalid token of a claim", "prints it"},
		{"claim", `{"op": "renew", "claim": "t-1:` + foreign + `"}`, 4, "", ""},
		{"claim", `{"op": "take", "ids": ["t-1"]}`, 4, "t-1 is claimed by", ""},
		{"task_change", `{"op": "done"}`, 2, "missing ids", ""},
		{"task_change", `{"op": "accept"}`, 2, "missing ids", ""},
		{"task_change", `{"op": "edit", "ids": ["t-1", "t-2"], "fields": {}}`, 2, "edit takes one id, and 2 are given", ""},
		{"task_change", `{"op": "reject", "ids": ["t-1"]}`, 2, "missing reason", ""},
		{"task_change", `{"op": "steal"}`, 2, `invalid op "steal"`, ""},
		{"task_change", `{"op": "add", "fields": ["no object"]}`, 1, "fields:1:2: invalid JSON", ""},
		{"task_change", `{"op": "done", "ids": ["--force"]}`, 1, "--force", ""},
		{"query", `{"what": "tasks", "limit": 51}`, 2, "invalid limit 51", ""},
		{"query", `{"what": "tasks", "cursor": "x"}`, 2, `invalid cursor "x"`, ""},
		{"query", `{"what": "next", "search": "x"}`, 2, "next has no filters", ""},
		{"query", `{"what": "status", "rev": "--all"}`, 1, "", ""},
		{"show", `{"id": "--help"}`, 1, "", ""},
		{"show", `{}`, 2, "missing id", ""},
	} {
		before := r.Git("rev-parse", "HEAD")
		got := one(t, r, c.tool, c.arguments)
		if got.Exit != c.exit || !strings.Contains(got.Error, c.message) || !strings.Contains(got.Hint, c.hint) {
			t.Errorf("%s %s: %s", c.tool, c.arguments, got.text)
		}
		if r.Git("rev-parse", "HEAD") != before {
			t.Errorf("%s %s: made a commit", c.tool, c.arguments)
		}
	}
}

// A hundred calls at once are each answered, and none is lost in the plan or in git.
func TestHundredCallsAtOnce(t *testing.T) {
	r := newRepo(t, plan)
	var lines []string
	for i := range 100 {
		switch i % 4 {
		case 0:
			lines = append(lines, call(i, "query", `{"what": "status"}`))
		case 1:
			lines = append(lines, call(i, "log", `{}`))
		case 2:
			lines = append(lines, call(i, "claim", `{"op": "take", "ids": ["t-1"]}`))
		default:
			lines = append(lines, call(i, "task_change", fmt.Sprintf(`{"op": "add", "fields": {"name": "New %d"}}`, i)))
		}
	}
	won := 0
	for id, m := range converse(t, r, lines...) {
		if id == "hello" {
			continue
		}
		switch got := replyOf(t, m); {
		case strings.Contains(got.text, `"token"`):
			won++
		case got.Exit != 0 && (got.Exit != 4 || !strings.Contains(got.text, "claimed by")):
			t.Errorf("call %s: %s", id, got.text)
		}
	}
	if won != 1 {
		t.Errorf("%d callers have the claim of one task", won)
	}
	if n := strings.Count(r.ReadFile("ralph/plan.jsonl"), `"name": "New `); n != 25 {
		t.Errorf("the plan has %d of 25 new tasks", n)
	}
	if status := r.Git("status", "--short"); status != "" {
		t.Errorf("left uncommitted: %s", status)
	}
	r.Fsck()
}

// tasksPlan is a plan of n tasks like each other, each with a long text.
func tasksPlan(n int, status string) string {
	var b strings.Builder
	b.WriteString(`{"t": "spec", "spec": "s.md"}` + "\n")
	for i := range n {
		fmt.Fprintf(&b, `{"t": "task", "id": "t-%05d", "spec": "s.md", "name": "Write part %05d", "notes": %q, "s": %q}`+"\n", i, i, strings.Repeat("words ", 40), status)
	}
	return b.String()
}

// A reply has the same size on a plan of ten tasks and on one of ten thousand, and the cursor leads through all of them.
func TestRepliesAreBounded(t *testing.T) {
	small, large := newRepo(t, tasksPlan(10, "p")), newRepo(t, tasksPlan(10000, "p"))
	calls := []string{
		call("next", "query", `{"what": "next"}`), call("status", "query", `{"what": "status"}`), call("tasks", "query", `{"what": "tasks"}`),
		call("log", "log", `{}`), call("show", "show", `{"id": "t-00003"}`), call("edit", "task_change", `{"op": "edit", "ids": ["t-00003"], "fields": {"priority": "low"}}`),
	}
	few, many := converse(t, small, calls...), converse(t, large, calls...)
	for id, m := range few {
		a, b := len(m.Result), len(many[id].Result)
		t.Logf("%s: %d bytes with 10 tasks, %d with 10,000", id, a, b)
		if b > a+a/10 {
			t.Errorf("%s: %d bytes with 10 tasks, %d with 10,000", id, a, b)
		}
	}
	seen, cursor := map[string]bool{}, ""
	for range 3 {
		got := one(t, large, "query", fmt.Sprintf(`{"what": "tasks", "limit": 50, "cursor": %q}`, cursor))
		var tasks []struct{ ID string }
		if err := json.Unmarshal(got.Result, &tasks); err != nil || got.Cursor == "" {
			t.Fatalf("%v: %s", err, got.text)
		}
		for _, task := range tasks {
			if seen[task.ID] {
				t.Errorf("%s is on two pages", task.ID)
			}
			seen[task.ID] = true
		}
		cursor = got.Cursor
	}
	if len(seen) < 60 {
		t.Errorf("three pages have %d tasks", len(seen))
	}
}

// Done tasks that wait for VERIFY, and one record as large as a plan, do not make a reply larger than its bound.
func TestLargeRecordsAreCut(t *testing.T) {
	huge := `{"t": "spec", "spec": "s.md"}` + "\n" + `{"t": "task", "id": "t-1", "spec": "s.md", "name": "n", "s": "p", "notes": "` + strings.Repeat("ä", 1<<20) +
		`", "meta": {` + strings.TrimSuffix(strings.Repeat(`"k": [[[[[[1]]]]]],`, 1), ",") + `}, "labels": [` + strings.TrimSuffix(strings.Repeat(`"label",`, 5000), ",") + `]}` + "\n"
	for name, plan := range map[string]string{"done tasks": tasksPlan(2000, "d"), "a huge record": huge} {
		r := newRepo(t, plan)
		for id, m := range converse(
			t, r, call("next", "query", `{"what": "next"}`), call("status", "query", `{"what": "status"}`), call("tasks", "query", `{"what": "tasks"}`),
			call("dry", "task_change", `{"op": "add", "fields": {"name": "x"}, "dry_run": true}`),
		) {
			if id == "hello" {
				continue
			}
			if got := replyOf(t, m); len(got.text) > 20<<10 || got.Exit != 0 {
				t.Errorf("%s, %s: %d bytes, exit %d %s", name, id, len(got.text), got.Exit, got.Error)
			}
		}
	}
}

// What comes from the plan cannot steer the terminal on which a client shows a reply.
func TestRepliesHaveNoControlCharacters(t *testing.T) {
	r := newRepo(t, `{"t": "spec", "spec": "s.md"}
{"t": "task", "id": "t-1", "spec": "s.md", "name": "clear\u001b[2J\u202etxt\u009b", "notes": "`+"\u202e\u009b2J"+`", "s": "p"}
`)
	for id, m := range converse(
		t, r, call(1, "query", `{"what": "next"}`), call(2, "show", `{"id": "t-1"}`), call(3, "show", `{"id": "`+"\u202e"+`\u001b"}`),
		call(4, "query", `{"what": "`+"\u202e"+`"}`), `{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"ralph://next"}}`,
	) {
		if text := string(m.Result); strings.ContainsAny(text, "\u001b\u202e\u009b") {
			t.Errorf("reply %s: %q", id, text)
		}
	}
}

// The plan, the next task and any task are resources.
func TestResources(t *testing.T) {
	r := newRepo(t, plan)
	read := func(id, uri string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"resources/read","params":{"uri":%q}}`, id, uri)
	}
	answers := converse(t, r, read("plan", "ralph://plan"), read("next", "ralph://next"), read("task", "ralph://task/t-2"), read("none", "ralph://task/t-9"), read("other", "ralph://other"))
	for id, want := range map[string]string{"plan": `\"stage\":\"BUILD\"`, "next": `\"id\":\"t-1\"`, "task": `\"name\":\"Write the tests\"`} {
		if m := answers[id]; m.Error != nil || !strings.Contains(string(m.Result), want) {
			t.Errorf("%s: %s %v", id, m.Result, m.Error)
		}
	}
	for _, id := range []string{"none", "other"} {
		if answers[id].Error == nil {
			t.Errorf("%s: %s", id, answers[id].Result)
		}
	}
}

// maxSchemas is the size of all tools as a client puts them before a model, in bytes: 2,000 tokens have about 8,000.
// TestInspector counts tokens.
const maxSchemas = 6800

// A shownTool is a tool as a client sees it.
type shownTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"`
}

func shownTools(t *testing.T) []shownTool {
	t.Helper()
	var list struct{ Tools []shownTool }
	m := converse(t, newRepo(t, plan), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)["1"]
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(m.Result), "inputSchema", "input_schema")), &list); err != nil {
		t.Fatal(err)
	}
	return list.Tools
}

// An agent pays for the tools in every session.
func TestToolsAreFewAndShort(t *testing.T) {
	list := shownTools(t)
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d tools, %d bytes", len(list), len(data))
	if len(list) > 10 || len(data) > maxSchemas {
		t.Errorf("%d tools, %d bytes; at most 10 and %d", len(list), len(data), maxSchemas)
	}
}
