package cli

import (
	"strings"
	"testing"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/mask"
	"git-ralph/internal/test/gittest"
)

// On a terminal changed words stand out by colour, and nothing from a plan
// controls it.
func TestDiffOnTerminal(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("plan", map[string]string{
		"ralph/plan.jsonl": `{"t": "task", "id": "t-1", "name": "Fix the lexer", "s": "p"}` + "\n",
	})
	r.WriteFile("ralph/plan.jsonl", `{"t": "task", "id": "t-1", "name": "Fix the parser\u001b[2J", "s": "p"}`+"\n"+hostile)
	env := terminalEnv(r)
	out, _, code := runIn(t, env, "diff")
	want := "    name: Fix the \x1b[31mlexer\x1b[m\x1b[32mparser\\x1b[2J\x1b[m\n"
	if code != cmdline.ExitDone || !strings.Contains(out, want) {
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
