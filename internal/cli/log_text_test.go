package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"

	"git-ralph/internal/git/gittest"
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
			env := &Env{
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
