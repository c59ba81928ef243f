package cli

import (
	"strings"
	"testing"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/mask"
	"git-ralph/internal/test/gittest"
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
	if code != cmdline.ExitDone || !strings.Contains(out, "edited t-1 Parse") || !strings.Contains(out, "cancelled t-2 Print") {
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
		if mask.IsControl(c) {
			t.Errorf("sends %q: %q", c, out+errs)
		}
	}
}

// TestResolveAsksAgain guards: an answer that cannot be carried out is warned of
// and asked for again, and takes none of those before it along; a conflict that
// an answer settled along with its own is not asked for.
func TestResolveAsksAgain(t *testing.T) {
	r := gittest.NewRepo(t)
	r.WriteFile("ralph/plan.jsonl", `{"t": "task", "id": "t-1", "name": "One", "notes": "a", "s": "p", "conflict": {"notes": ["a", "b"]}}
{"t": "task", "id": "t-2", "name": "Two", "s": "p", "conflict": {"removed": true, "name": ["Two", "2"]}}
{"t": "task", "id": "t-3", "name": "Needs", "deps": ["t-4"], "s": "p"}
{"t": "task", "id": "t-4", "name": "Needed", "s": "p", "conflict": {"removed": true}}
`)
	env := terminalEnv(r)
	env.In = strings.NewReader("2\nr\nr\nk\n")
	out, errs, code := runIn(t, env, "resolve")
	want := "{\"t\": \"task\", \"id\": \"t-1\", \"name\": \"One\", \"notes\": \"b\", \"s\": \"p\"}\n" +
		`{"t": "task", "id": "t-3", "name": "Needs", "deps": ["t-4"], "s": "p"}
{"t": "task", "id": "t-4", "name": "Needed", "s": "p"}
`
	if got := r.ReadFile("ralph/plan.jsonl"); code != cmdline.ExitDone || got != want {
		t.Errorf("exit code %d\n%s%s%s", code, got, out, errs)
	}
	for _, said := range []string{
		"git-ralph: warning: t-4 cannot be removed: t-3 depends on it\n",
		"git-ralph: hint: `git ralph task cancel t-4 --cascade` cancels those too, `git ralph task cancel t-4 --detach` drops the dependency\n",
	} {
		if strings.Count(errs, said) != 1 {
			t.Errorf("no %q in %s", said, errs)
		}
	}
}

// The end of the input and q end the questions; nothing is changed then.
func TestResolveEnds(t *testing.T) {
	r := conflictedRepo(t)
	for _, input := range []string{"", "q\n", "s\ne\n", "s\ns\ns\n", "what\n"} {
		env := terminalEnv(r)
		env.In = strings.NewReader(input)
		if _, errs, code := runIn(t, env, "resolve"); code != cmdline.ExitDone || r.ReadFile("ralph/plan.jsonl") != conflicted {
			t.Errorf("%q: exit code %d\n%s", input, code, errs)
		}
	}
}
