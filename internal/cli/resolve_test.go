package cli

import (
	"strings"
	"testing"

	"git-ralph/internal/git/gittest"
)

// conflicted is a plan with recorded conflicts, by somebody who wants to steer
// the reader's terminal too.
const conflicted = `{"t": "spec", "spec": "s.md"}
{"t": "task", "id": "t-1", "spec": "s.md", "name": "Parse\u001b[2J", "accept": "under 1000 ms", "s": "p", "conflict": {"accept": ["under 1000 ms", "under 200\u009b ms"], "x\u001b": [1, "\u001b[2J"]}}
{"t": "task", "id": "t-2", "spec": "s.md", "name": "Print", "s": "p", "conflict": {"removed": true}}
`

func conflictedRepo(t *testing.T) *gittest.Repo {
	t.Helper()
	r := gittest.NewRepo(t)
	r.WriteFile("ralph/plan.jsonl", conflicted)
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "plan")
	return r
}

// TestResolveAsks guards: on a terminal resolve asks for one conflict after the
// other; all answers are one commit, and what was skipped stays.
func TestResolveAsks(t *testing.T) {
	r := conflictedRepo(t)
	env := terminalEnv(r)
	env.Colour, env.In = false, strings.NewReader("e\nunder 500 ms\ns\nr\n")
	out, errs, code := runIn(t, env, "resolve")
	if code != exitDone || !strings.Contains(out, "edited t-1 Parse") || !strings.Contains(out, "cancelled t-2 Print") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if want := "  * 1  under [-1000-] ms          2  under {+200\\u009b+} ms\n"; !strings.Contains(errs, want) {
		t.Errorf("no %q in %q", want, errs)
	}
	if log := r.Git("log", "--format=%s"); log != "ralph: edit t-1 Parse [2J\nplan" {
		t.Errorf("log %q", log)
	}
	got := r.ReadFile("ralph/plan.jsonl")
	if !strings.Contains(got, `"accept": "under 500 ms"`) || !strings.Contains(got, `"conflict": {"x`) || strings.Contains(got, "t-2") {
		t.Errorf("plan %s", got)
	}
	for _, c := range strings.ReplaceAll(out+errs, "\n", "") {
		if isSteering(c) {
			t.Errorf("sends %q: %q", c, out+errs)
		}
	}
}

// The end of the input and q end the questions; nothing is changed then.
func TestResolveEnds(t *testing.T) {
	r := conflictedRepo(t)
	for _, input := range []string{"", "q\n", "s\ne\n", "s\ns\ns\n", "what\n"} {
		env := terminalEnv(r)
		env.In = strings.NewReader(input)
		if _, errs, code := runIn(t, env, "resolve"); code != exitDone || r.ReadFile("ralph/plan.jsonl") != conflicted {
			t.Errorf("%q: exit code %d\n%s", input, code, errs)
		}
	}
}
