package cli

import (
	"strings"
	"testing"

	"git-ralph/internal/git/gittest"
	"git-ralph/internal/mask"
)

// diff reads its arguments as git does.
func TestRevisions(t *testing.T) {
	tests := []struct {
		args          []string
		before, after string
		ok            bool
	}{
		{nil, "HEAD", "", true},
		{[]string{"main"}, "main", "", true},
		{[]string{"a", "b"}, "a", "b", true},
		{[]string{"a..b"}, "a", "b", true},
		{[]string{"a.."}, "a", "HEAD", true},
		{[]string{"..b"}, "HEAD", "b", true},
		{[]string{"v1.2.3"}, "v1.2.3", "", true},
		{[]string{"a...b"}, "", "", false},
		{[]string{"a..b", "c"}, "", "", false},
		{[]string{"a", "b", "c"}, "", "", false},
	}
	for _, tt := range tests {
		before, after, ok := revisions(tt.args)
		if ok != tt.ok || ok && (before != tt.before || after != tt.after) {
			t.Errorf("%q: %q, %q, %v", tt.args, before, after, ok)
		}
	}
}

// On a terminal changed words stand out by colour, and nothing from a plan
// steers it.
func TestDiffOnTerminal(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("plan", map[string]string{
		"ralph/plan.jsonl": `{"t": "task", "id": "t-1", "name": "Fix the lexer", "s": "p"}` + "\n",
	})
	r.WriteFile("ralph/plan.jsonl", `{"t": "task", "id": "t-1", "name": "Fix the parser\u001b[2J", "s": "p"}`+"\n"+hostile)
	env := terminalEnv(r)
	out, _, code := runIn(t, env, "diff")
	want := "    name: Fix the \x1b[31mlexer\x1b[m\x1b[32mparser\\x1b[2J\x1b[m\n"
	if code != exitDone || !strings.Contains(out, want) {
		t.Errorf("exit %d, got %q, want a line %q", code, out, want)
	}
	env.Colour = false
	for _, args := range [][]string{{"diff"}, {"diff", "--json"}, {"textconv", "ralph/plan.jsonl"}, {"check", "--strict"}, {"check", "--json"}} {
		out, _, _ := runIn(t, env, args...)
		if out == "" || strings.ContainsFunc(strings.ReplaceAll(out, "\n", ""), mask.IsControl) {
			t.Errorf("%q sends %q", args, out)
		}
	}
}
