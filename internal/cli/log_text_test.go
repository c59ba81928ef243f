package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/test/gittest"
)

// No line of the tables is wider than the terminal, whatever ids, names, branches and authors are like; and of each
// there is something to see.
func TestLogFitsTheTerminal(t *testing.T) {
	r := gittest.NewRepo(t).Setenv("GIT_AUTHOR_EMAIL", "someone.with.a.very.long.address@a-company-with-a-long-name.example.com")
	r.Git("checkout", "-q", "-b", "feature/日本語の長いブランチ名を持つ作業ブランチ")
	lines := []string{specRow}
	for i, name := range []string{"日本語の名前がとても長いタスクで、八十桁の端末には収まらない", "👩‍👩‍👧‍👦 family 🇩🇪 flag 👍🏽 thumbs and a lot more of text that goes on", "x"} {
		id := "t-" + strings.Repeat("very-long-", i*i*3) + fmt.Sprint(i)
		lines = append(lines, fmt.Sprintf(`{"t": "task", "id": %q, "spec": %q, "name": %q, "s": "p"}`, id, strings.Repeat("仕様", 30)+".md", name))
	}
	commitPlan(r, lines...)
	for _, args := range [][]string{{"log", "--format", "text"}, {"log", "--stat", "--format", "text"}} {
		for _, width := range []int{80, 100, 110, 160} {
			var out, messages bytes.Buffer
			env := &term.Env{
				Dir: r.Dir, Environ: append(r.Env, "GIT_PAGER=cat"), In: strings.NewReader(""), Out: &out, Err: &messages,
				Terminal: true, Width: width, Now: time.Now, Random: func(n int) int { return n - 1 },
			}
			if code := Main(context.Background(), append([]string{"git-ralph"}, args...), env); code != 0 {
				t.Fatalf("%v: %d %s", args, code, messages.String())
			}
			for line := range strings.Lines(out.String()) {
				if got := displaywidth.String(strings.TrimSuffix(line, "\n")); got > width {
					t.Errorf("%v on %d columns: %d of %s", args, width, got, line)
				}
			}
			if text := out.String(); !strings.Contains(text, "feature") || args[1] == "--format" && (!strings.Contains(text, "t-very-") || !strings.Contains(text, "someone") || !strings.Contains(text, "日本語の")) {
				t.Errorf("%v on %d columns:\n%s", args, width, text)
			}
		}
	}
}

// log, log --oneline and show have one word for what happened to an issue; for programs it keeps its own kind.
func TestOneWordForAnIssue(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow)
	must(t, r, []string{"issue", "add", `{"id": "i-1", "desc": "broken"}`}, []string{"issue", "done", "i-1"})
	for _, args := range [][]string{{"log", "--text"}, {"log", "--oneline"}, {"show", "i-1", "--text"}} {
		out, _, _ := logIn(t, r, args...)
		for _, word := range []string{"added", "closed"} {
			if !strings.Contains(out, " "+word+" ") && !strings.Contains(out, " "+word+"\n") || strings.Contains(out, "issue-") {
				t.Errorf("%v: no %q in\n%s", args, word, out)
			}
		}
	}
	out, _, _ := logIn(t, r, "log", "--json")
	for _, kind := range []string{`"issue-added"`, `"issue-done"`} {
		if !strings.Contains(out, kind) {
			t.Errorf("no %s in %s", kind, out)
		}
	}
}

// show says how many other commits recorded an event, of one and of several.
func TestShowCountsOtherCommits(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow)
	r.Git("branch", "one")
	r.Git("branch", "two")
	picked := commitPlan(r, specRow, openRow)
	for _, step := range [...]struct{ branch, want string }{{"one", "also recorded by 1 other commit\n"}, {"two", "also recorded by 2 other commits\n"}} {
		r.Git("checkout", "-q", step.branch)
		r.Setenv("GIT_COMMITTER_NAME", step.branch).Git("cherry-pick", "-x", picked)
		if out, _, _ := logIn(t, r, "show", "t-1a2b", "--text"); strings.Count(out, "also recorded") != 1 || !strings.Contains(out, step.want) {
			t.Errorf("want %q in\n%s", step.want, out)
		}
	}
}
