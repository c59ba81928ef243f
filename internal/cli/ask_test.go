package cli

import (
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/test/gittest"
)

// planned is a repository with an unfinished task of one spec and the file of another.
func planned(t *testing.T) *gittest.Repo {
	t.Helper()
	r := gittest.NewRepo(t)
	r.WriteFile("ralph/plan.jsonl", `{"t": "spec", "spec": "old-spec.md"}
{"t": "task", "id": "t-1a2b", "spec": "old-spec.md", "name": "Add unit tests for parser", "s": "p"}
{"t": "task", "id": "t-3c4d", "spec": "old-spec.md", "name": "Fix edge case", "s": "d", "done_at": "abc"}
`)
	r.WriteFile("new.md", "new\n")
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "plan")
	if _, errs, code := runIn(t, terminalEnv(r), "trust", "--yes"); code != 0 {
		t.Fatal(errs)
	}
	return r
}

// loggedEvents returns the events that the log of a repository prints, the oldest first, without commits and dates.
func loggedEvents(t *testing.T, r *gittest.Repo) []string {
	t.Helper()
	env := terminalEnv(r)
	env.Terminal, env.Colour = false, false
	out, errs, code := runIn(t, env, "log", "--all", "--reverse", "--format", "text")
	if code != 0 {
		t.Error(errs)
	}
	var events []string
	for line := range strings.Lines(out) {
		events = append(events, strings.Join(strings.Fields(line)[3:], " "))
	}
	return events
}

const question = `Found unfinished tasks from spec 'old-spec.md':
  - [pending] t-1a2b: Add unit tests for parser
  - [done] t-3c4d: Fix edge case

What would you like to do?
  [c] Cancel existing tasks and start fresh
  [a] Abort (keep current plan)
`

// TestPlanAsks guards: the question about unfinished tasks, word for word; it is repeated until there is an answer, the
// end of input aborts, and nothing changes before the answer.
func TestPlanAsks(t *testing.T) {
	again := question[strings.Index(question, "\nWhat"):]
	for _, c := range []struct {
		answers, want string
		cancelled     bool
	}{
		{"a\n", question, false},
		{"", question, false},
		{"\nx\nyes\nA\n", question + again + again + again, false},
		{"c\n", question, true},
		{"q\nC", question + again, true},
	} {
		r := planned(t)
		before := len(loggedEvents(t, r))
		env := terminalEnv(r)
		env.Interactive, env.Colour, env.In = true, false, strings.NewReader(c.answers)
		out, errs, code := runIn(t, env, "plan", "new.md", "--agent", "true")
		if !strings.HasPrefix(errs, c.want) || strings.Count(errs, "What would you like") != strings.Count(c.want, "What would you like") {
			t.Errorf("%q asks\n%s", c.answers, errs)
		}
		if cancelled := !strings.Contains(r.Git("show", "HEAD:ralph/plan.jsonl"), "t-1a2b"); cancelled != c.cancelled {
			t.Errorf("%q: cancelled %v\n%s%s", c.answers, cancelled, out, errs)
		}
		if !c.cancelled && (code != cmdline.ExitFailed || r.Git("rev-list", "--count", "HEAD") != "1" || r.Git("status", "--porcelain") != "") {
			t.Errorf("%q: exit code %d, or something changed", c.answers, code)
		}
		var want []string
		if c.cancelled {
			want = []string{"spec author main new.md", "cancelled t-1a2b author main Add unit tests for parser", "cancelled t-3c4d author main Fix edge case"}
		}
		if got := loggedEvents(t, r)[before:]; !slices.Equal(got, want) {
			t.Errorf("%q: the log prints %q, want %q", c.answers, got, want)
		}
	}
}

// TestBuildAsks guards: the question about a plan that is not committed, word for word. Enter is yes; no and the end of
// input abort with nothing changed.
func TestBuildAsks(t *testing.T) {
	for answer, agreed := range map[string]bool{"\n": true, "y\n": true, "Yes\n": true, "n\n": false, "": false, "x\n": false} {
		r := planned(t)
		before := len(loggedEvents(t, r))
		edited := strings.Replace(r.ReadFile("ralph/plan.jsonl"), "Fix edge", "Correct edge", 1)
		r.WriteFile("ralph/plan.jsonl", edited)
		env := terminalEnv(r)
		env.Interactive, env.In = true, strings.NewReader(answer)
		_, errs, code := runIn(t, env, "build", "--once", "--agent", "true")
		if !strings.HasPrefix(errs, "plan.jsonl has uncommitted changes. Commit now? [Y/n] ") {
			t.Errorf("asks %q", errs)
		}
		committed := r.Git("log", "-1", "--format=%s") == "ralph: update plan"
		if committed != agreed || !agreed && (code != cmdline.ExitFailed || r.Git("rev-list", "--count", "HEAD") != "1") || r.ReadFile("ralph/plan.jsonl") != edited {
			t.Errorf("%q: committed %v, exit code %d\n%s", answer, committed, code, errs)
		}
		var want []string
		if agreed {
			want = []string{"edited t-3c4d author main Correct edge case"}
		}
		if got := loggedEvents(t, r)[before:]; !slices.Equal(got, want) {
			t.Errorf("%q: the log prints %q, want %q", answer, got, want)
		}
	}
}
