package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/test/gittest"
)

// checkWidth reports lines that are wider than a terminal.
func checkWidth(t *testing.T, what, text string, width int) {
	t.Helper()
	for line := range strings.Lines(text) {
		if got := displaywidth.String(strings.TrimSuffix(line, "\n")); got > width {
			t.Errorf("%s: %d columns, the terminal has %d: %s", what, got, width, line)
		}
	}
}

// TestEveryHelpFitsIn80Columns guards: no line of a help is wider than 80 columns, in a pipe and on a
// terminal, and a narrower terminal gets narrower lines; commands to copy stay on one line.
func TestEveryHelpFitsIn80Columns(t *testing.T) {
	env := terminalEnv(gittest.NewRepo(t))
	env.Colour, env.Environ = false, append(env.Environ, "GIT_PAGER=cat")
	for _, path := range helpPaths(env) {
		for _, width := range []int{50, 80, 200} {
			env.Width = width
			out, errs, code := runIn(t, env, append([]string{"help"}, strings.Fields(path)...)...)
			if code != cmdline.ExitDone || out == "" {
				t.Fatalf("help %s: exit code %d: %s", path, code, errs)
			}
			_, examples, _ := strings.Cut(out, "EXAMPLES\n")
			if width >= 80 {
				checkWidth(t, "help "+path, out, 80)
				for line := range strings.Lines(examples) {
					if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "   ") {
						t.Errorf("help %s: an example goes over more than one line: %s", path, line)
					}
				}
				continue
			}
			checkWidth(t, "help "+path, strings.TrimSuffix(out, examples), width)
		}
	}
}

// wideLines is a plan with everything that makes lines wide.
func wideLines() []string {
	long := strings.Repeat("a long sentence with many words ", 8)
	japanese := strings.Repeat("日本語の名前がとても長いタスク", 9)
	family := strings.Repeat("👩‍👩‍👧‍👦🇩🇪👍🏽 ", 40)
	return []string{
		specRow,
		fmt.Sprintf(`{"t": "task", "id": "t-1", "spec": %q, "name": %q, "notes": %q, "accept": %q, "s": "p"}`, strings.Repeat("仕様", 30)+".md", japanese, long, family),
		fmt.Sprintf(`{"t": "task", "id": "t-%s", "spec": "coverage.md", "name": %q, "s": "p", "deps": ["t-1"], "labels": [%q], %q: "x"}`,
			strings.Repeat("long-", 25), family, long, strings.Repeat("field", 30)),
		fmt.Sprintf(`{"t": "issue", "id": "i-1", "spec": "coverage.md", "desc": %q, "labels": [%q]}`, japanese, long),
		fmt.Sprintf(`{"t": "item", "id": "w-1", "name": %q, "state": "Research Needed", "files": [%q, %q]}`, japanese, long, family),
		fmt.Sprintf(`{"t": "item", "id": "w-2", "name": %q, "state": "Ready for Plan", "files": [%q, %q], "blocked_by": ["w-1"]}`, long, long, family),
		`{"t": "item", "id": "w-3", "name": "short", "number": 9007199254740991}`,
	}
}

// TestNothingIsWiderThanTheTerminal guards: lists cut what does not fit, and what shows a text whole wraps it.
func TestNothingIsWiderThanTheTerminal(t *testing.T) {
	r := gittest.NewRepo(t)
	lines := wideLines()
	commitPlan(r, specRow, strings.Replace(lines[1], "words", "nouns", 1))
	commitPlan(r, lines...)
	r.WriteFile("ralph/plan.jsonl", strings.Join(append(lines, `{"t": "task", "id": "t-2", "spec": "coverage.md", "name": `+fmt.Sprintf("%q", wideLines()[1])+`, "s": "p"}`), "\n")+"\n")
	env := terminalEnv(r)
	env.Environ, env.Colour = append(env.Environ, "GIT_PAGER=cat"), false
	for _, line := range []string{
		"status", "task list", "task show t-1", "issue list", "show t-1", "show t-long", "show i-1", "diff", "diff HEAD~1 HEAD", "log", "log --oneline",
		"log --stat", "task edit t-1 --priority high --dry-run", "query --text", "query next --text", "query tasks --text",
		"pipeline position w-1", "pipeline streams w-1 w-2 w-3",
	} {
		for _, width := range []int{60, 80, 120} {
			env.Width = width
			out, errs, code := runIn(t, env, strings.Fields(line)...)
			if code != cmdline.ExitDone || out == "" {
				t.Fatalf("%s: exit code %d: %s%s", line, code, out, errs)
			}
			checkWidth(t, line, out, width)
		}
	}
	env.Width = 80
	out, _, _ := runIn(t, env, "show", "t-1")
	if joined := strings.Join(strings.Fields(out), ""); !strings.Contains(joined, strings.Join(strings.Fields(strings.Repeat("a long sentence with many words ", 8)), "")) {
		t.Errorf("show does not show the notes whole:\n%s", out)
	}
}
