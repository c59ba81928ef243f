package mcpserver_test

import (
	"strings"
	"testing"
)

// itemPlan has items in several states, and no spec.
const itemPlan = `{"t": "item", "id": "w-aaaa", "number": 42, "name": "Lex it", "state": "Research Needed", "estimate": "S", "created_at": "2026-02-22T10:00:00Z"}
{"t": "item", "id": "w-bbbb", "name": "Parse it", "state": "Backlog", "estimate": "L", "created_at": "2026-02-22T10:00:01Z"}
`

// An item goes through the pipeline by tools alone: its tasks are planned, claimed, and finished with what came of them.
func TestAnItemByTools(t *testing.T) {
	r := newRepo(t, itemPlan)
	for _, step := range []struct{ tool, arguments, want string }{
		{"pipeline", `{"op": "position", "items": ["GH-42"]}`, `"phase":"RESEARCH"`},
		{"pipeline", `{"op": "plan", "items": ["42"], "dry_run": true}`, `t-w-aaaa-research`},
		{"pipeline", `{"op": "plan", "items": ["42"]}`, `"committed":true`},
		{"pipeline", `{"op": "streams", "items": ["42", "w-bbbb"]}`, `"totalStreams":1`},
		{"task_change", `{"op": "done", "ids": ["t-w-aaaa-research"], "artifact": "thoughts/a.md", "files": ["lex.go", "--x"]}`, `"committed":true`},
		{"pipeline", `{"op": "show", "items": ["GH-42"]}`, `"files":["lex.go","--x"]`},
		{"task_change", `{"op": "done", "ids": ["t-w-aaaa-plan"], "artifact": "thoughts/b.md"}`, `"committed":true`},
		{"task_change", `{"op": "done", "ids": ["t-w-aaaa-review"], "verdict": "NEEDS_ITERATION", "reason": "no test"}`, `"committed":true`},
		{"task_change", `{"op": "done", "ids": ["t-w-aaaa-plan"]}`, `"committed":true`},
		{"pipeline", `{"op": "reject", "items": ["42"], "reason": "--too long"}`, `"committed":true`},
		{"pipeline", `{"op": "status", "limit": 1}`, `"title":"Lex it"`},
		{"pipeline", `{"op": "list", "state": "Backlog"}`, `[{"t":"item","id":"w-bbbb"`},
		{"pipeline", `{"op": "add", "fields": [{"name": "Lex numbers", "parent": "w-bbbb", "estimate": "S"}]}`, `"committed":true`},
		{"pipeline", `{"op": "edit", "items": ["w-bbbb"], "fields": {"estimate": "M"}}`, `"estimate":"M"`},
		{"pipeline", `{"op": "move", "items": ["w-bbbb"], "state": "Research Needed"}`, `"committed":true`},
		{"pipeline", `{"op": "move", "items": ["w-bbbb"], "state": "__LOCK__", "command": "research"}`, `"state":"Research in Progress"`},
		{"pipeline", `{"op": "move", "items": ["w-bbbb"], "state": "__ESCALATE__", "reason": "--which one?"}`, `"state":"Human Needed"`},
	} {
		got := one(t, r, step.tool, step.arguments)
		if got.Exit != 0 || !strings.Contains(got.text, step.want) {
			t.Errorf("%s %s: got %s, want %s", step.tool, step.arguments, got.text, step.want)
		}
	}
}

// What a command would ask for has to be said, and a decision about a plan that nobody asked for is refused.
func TestPipelineRefuses(t *testing.T) {
	r := newRepo(t, itemPlan)
	for arguments, want := range map[string]string{
		`{"op": "go"}`:                                            `invalid op \"go\"`,
		`{"op": "plan"}`:                                          "missing items",
		`{"op": "reject", "items": ["42"]}`:                       "missing reason",
		`{"op": "reject", "items": ["42", "w-bbbb"]}`:             "reject takes one item",
		`{"op": "add"}`:                                           "missing fields",
		`{"op": "move", "items": ["42"]}`:                         "missing state",
		`{"op": "move", "items": ["42"], "state": "Done"}`:        "Human Needed",
		`{"op": "move", "items": ["42"], "state": "__LOCK__"}`:    "RALPH_COMMAND",
		`{"op": "approve", "items": ["42"]}`:                      "awaits approval",
		`{"op": "show", "items": ["--help"]}`:                     "--help",
		`{"op": "position", "items": ["GH-7"], "fields": "oops"}`: "GH-7",
	} {
		if got := one(t, r, "pipeline", arguments); got.Exit == 0 || !strings.Contains(got.text, want) {
			t.Errorf("%s: %s, want %s", arguments, got.text, want)
		}
	}
}
