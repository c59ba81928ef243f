package cli

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/mask"
	"git-ralph/internal/test/gittest"
)

// terminalEnv is a user at a terminal with colour, 60 columns wide.
func terminalEnv(r *gittest.Repo) *term.Env {
	return &term.Env{
		Dir: r.Dir, Environ: r.Env, In: strings.NewReader(""), Terminal: true, Colour: true, Width: 60,
		Now:    func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
		Random: func(n int) int { return 7 % n },
	}
}

// runIn runs a command line in an environment and returns what it wrote.
func runIn(t *testing.T, env *term.Env, args ...string) (out, errs string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	own := *env
	own.Out, own.Err = &stdout, &stderr
	code = Main(context.Background(), append([]string{"git-ralph"}, args...), &own)
	return stdout.String(), stderr.String(), code
}

// hostile is a plan by somebody who wants to steer the reader's terminal.
const hostile = `{"t": "spec", "spec": "s.md"}
{"t": "task", "id": "t-1", "spec": "s.md", "name": "clear\u001b[2J\u202etxt\u009b", "accept": "first\nsecond", "s": "p"}
{"t": "task", "id": "t-2", "spec": "o` + "\u202e" + `.md", "name": "` + "\u009b" + `a name that is far too long for a terminal of this width", "s": "p", "deps": ["t-1"]}
{"t": "issue", "id": "i-1", "spec": "s.md", "desc": "\u0007bell", "labels": ["a\u001b"]}
{"t": "item", "id": "w-1", "name": "\u0007bell \u202e", "state": "Backlog", "files": ["\u001b[2J"]}
{"t": "item", "id": "w-2", "name": "\u009b2J", "state": "Human Needed", "files": ["\u001b[2J"]}
`

// TestTerminalIsNotSteered guards: control characters are shown, never sent to
// the terminal.
func TestTerminalIsNotSteered(t *testing.T) {
	r := gittest.NewRepo(t)
	r.WriteFile("ralph/plan.jsonl", hostile)
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "plan\n\nRalph-Branch: \u009b2J\u202e")
	env := terminalEnv(r)
	env.Colour = false
	for _, line := range [][]string{
		{},
		{"query"},
		{"query", "next"},
		{"task", "list"},
		{"task", "show", "t-1", "t-2"},
		{"issue", "list"},
		{"log"},
		{"log", "--oneline"},
		{"log", "--stat"},
		{"log", "--json"},
		{"log", "--format", "jsonl"},
		{"show", "t-1"},
		{"show", "t-2", "--json"},
		{"pipeline", "position", "w-1", "w-2"},
		{"pipeline", "position", "w-1", "w-2", "--json"},
		{"pipeline", "position", "GH-\x1b[2J"},
		{"pipeline", "streams", "w-1", "w-2"},
		{"pipeline", "streams", "w-1", "w-2", "--json"},
		{"task", "done", "t-none\x1b[2J"},
		{"task", "add", "\u202e\x1b]0;x\x07", "--dry-run"},
		{"task", "lis\x1bt"},
		{"query", "--rev", "\x1b[2J"},
		{"query", "--plan", "no\x1b[2J"},
		{"-C", "no\x1b[2J", "query"},
	} {
		out, errs, _ := runIn(t, env, line...)
		for _, c := range strings.ReplaceAll(out+errs, "\n", "") {
			if mask.IsControl(c) {
				t.Errorf("%q sends %q:\n%q\n%q", line, c, out, errs)
				break
			}
		}
		if out+errs == "" {
			t.Errorf("%q says nothing", line)
		}
	}
}

// TestTextForPeople guards: on a terminal results are text, in columns, with
// colour only where it is wanted.
func TestTextForPeople(t *testing.T) {
	r := gittest.NewRepo(t)
	r.WriteFile("ralph/plan.jsonl", hostile)
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "plan")
	for _, it := range []struct {
		line string
		want []string
		not  string
	}{
		{"status", []string{"\x1b[1mBUILD\x1b[m", "2 pending (1 blocked), 0 done", `clear\x1b[2J\u202etxt\u009b`}, "{"},
		{"--no-color status", []string{"stage   BUILD\n"}, "\x1b"},
		{"task list --no-color", []string{"t-1  ready          ", "t-2  waits for t-1", "…"}, "\x1b"},
		{"task show t-1 --no-color", []string{"accept     first\n           second\n", "needed by  t-2\n"}, "\x1b"},
		{"issue list --no-color", []string{`i-1  a\x1b  \x07bell`}, "\x1b"},
		{"query next", []string{"{\n  \"action\": \"BUILD\",\n", `clear\u001b[2J\u202etxt\u009b`}, "\u202e"},
		{"--json", []string{"{\n  \"spec\": \"s.md\",\n", "\"counts\": {"}, "stage   "},
		{"task list --json", []string{"[\n  {\n    \"t\": \"task\",\n"}, "ready"},
		{"task add --no-color --dry-run new", []string{"dry run: added t-7777 new\n", "BUILD: t-1 clear"}, "{"},
		{"task done --no-color --no-commit t-1", []string{"done t-1 clear", "not committed: --no-commit\n", "BUILD: t-2 "}, "{"},
		{"task accept t-1 --no-color", []string{"accepted t-1 clear", " ("}, "not committed"},
		{"task cancel t-2 --full --no-color", []string{"cancelled t-2", "issues  1\n"}, "{"},
		{"issue done --no-color", []string{`closed issue i-1 \x07bell (`, "COMPLETE: nothing is left\n"}, "{"},
	} {
		out, errs, code := runIn(t, terminalEnv(r), strings.Fields(it.line)...)
		if code != cmdline.ExitDone {
			t.Errorf("%s: exit code %d: %s", it.line, code, errs)
		}
		for _, want := range it.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", it.line, want, out)
			}
		}
		if strings.Contains(out, it.not) {
			t.Errorf("%s: %q in\n%s", it.line, it.not, out)
		}
	}
}

// TestUnknownStateForPeople guards: a task that is neither pending nor done does
// not vanish from what people see, and a missing state is shown as what it means.
func TestUnknownStateForPeople(t *testing.T) {
	r := gittest.NewRepo(t)
	r.WriteFile("ralph/plan.jsonl", `{"t": "spec", "spec": "s.md"}
{"t": "task", "id": "t-1", "spec": "s.md", "name": "silent"}
{"t": "task", "id": "t-2", "spec": "s.md", "name": "accepted", "s": "a"}
{"t": "task", "id": "t-3", "spec": "s.md", "name": "blank", "s": ""}
`)
	for line, wants := range map[string][]string{
		"status --no-color":    {"1 pending, 0 done, 2 in an unknown state\n"},
		"task list --no-color": {"t-1  ready     silent\n", "t-2  state a   accepted\n", "t-3  state \"\"  blank\n"},
	} {
		out, errs, _ := runIn(t, terminalEnv(r), strings.Fields(line)...)
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s%s", line, want, out, errs)
			}
		}
	}
}

// TestHelpIsComplete guards: every command's help lists its exit codes and has
// examples.
func TestHelpIsComplete(t *testing.T) {
	env := &term.Env{}
	var visit func(path string, commands []*cliCommand)
	visit = func(path string, commands []*cliCommand) {
		for _, c := range commands {
			name := path + " " + c.Name
			if !c.Hidden {
				for _, part := range []string{"EXIT STATUS\n", "EXAMPLES\n"} {
					if !strings.Contains(c.Description, part) {
						t.Errorf("%s: no %q in its description", name, part)
					}
				}
				for line := range strings.Lines(c.Description) {
					if len([]rune(strings.TrimSpace(line))) > 90 {
						t.Errorf("%s: a line too long: %s", name, line)
					}
				}
			}
			visit(name, c.Subcommands)
		}
	}
	visit(cmdline.Program, NewApp(env).Commands)
}

// TestPagerTakesInterrupts guards: what is long goes through the user's pager, and
// an interrupt meanwhile does not end us under it.
func TestPagerTakesInterrupts(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow)
	env := terminalEnv(r)
	env.Colour = false
	var calls []string
	env.IgnoreInterrupts = func() func() {
		calls = append(calls, "begin")
		return func() { calls = append(calls, "end") }
	}
	env.Environ = append(env.Environ, "GIT_PAGER=sed s/^/paged:/; kill -INT $$") // as a shell ends that saw one
	out, _, code := runIn(t, env, "log")
	if code != 0 || strings.Count(out, "paged:") != 2 || strings.Count(out, "\n") != 2 || !slices.Equal(calls, []string{"begin", "end"}) {
		t.Errorf("%d %q %q", code, calls, out)
	}
}

// TestLongTextsArePaged guards: lists, differences, helps and what shows a record go through the pager that git
// would use, in a repository and outside; JSON, and what a pager of git's already shows, does not.
func TestLongTextsArePaged(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow)
	r.WriteFile("ralph/plan.jsonl", specRow+"\n"+strings.Replace(openRow, `"name": "`, `"name": "Not `, 1)+"\n")
	env := terminalEnv(r)
	env.Environ = append(env.Environ, "GIT_PAGER=sed s/^/paged:/")
	isPaged := func(line string) bool {
		out, errs, code := runIn(t, env, strings.Fields(line)...)
		if code != cmdline.ExitDone || out == "" {
			t.Fatalf("%s: exit code %d: %q %s", line, code, out, errs)
		}
		return strings.Count(out, "paged:") == strings.Count(out, "\n")
	}
	for _, line := range []string{"task list", "task show t-1a2b", "issue list --help", "diff", "help", "help task list", "task --help", "show t-1a2b", "log", "log --oneline", "log --stat"} {
		if !isPaged(line) {
			t.Errorf("%s is not paged", line)
		}
	}
	for _, line := range []string{"task list --json", "diff --json", "status", "version"} {
		if isPaged(line) {
			t.Errorf("%s is paged", line)
		}
	}
	env.Dir = t.TempDir()
	if !isPaged("help") {
		t.Error("help is not paged outside a repository")
	}
	env.Dir, env.Paged = r.Dir, true
	if isPaged("task list") {
		t.Error("task list is paged within git's own pager")
	}
}
