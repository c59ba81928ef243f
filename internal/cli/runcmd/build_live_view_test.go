package runcmd

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/loop"
)

// A screen is as much of a terminal as the live view needs: lines, cursor up, clear to the end, and lines that break.
type screen struct {
	rows  []string
	width int
}

func (s *screen) write(t *testing.T, text string) {
	t.Helper()
	for text != "" {
		if rest, found := strings.CutPrefix(strings.TrimPrefix(text, "\r"), "\x1b["); found {
			end := strings.IndexAny(rest, "AJm")
			n := 0
			for _, c := range rest[:end] {
				n = n*10 + int(c-'0')
			}
			if rest[end] == 'A' {
				s.rows = s.rows[:max(len(s.rows)-n, 0)] // what follows is always a clear
			}
			text = rest[end+1:]
			continue
		}
		line, rest, found := strings.Cut(text, "\n")
		if !found {
			t.Fatalf("%q has no end", line)
		}
		if at := strings.Index(line, "\x1b"); at == 0 {
			t.Fatalf("unexpected %q", line)
		}
		for runes := []rune(line); ; runes = runes[s.width:] {
			s.rows = append(s.rows, string(runes[:min(len(runes), s.width)]))
			if len(runes) <= s.width {
				break
			}
		}
		text = rest
	}
}

// TestLiveViewShows guards: the live view holds stage, task, iteration, time, tokens, cost, the context, what was done so far, how
// long the rest may take, and the tool in use.
func TestLiveViewShows(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	live := loop.Live{
		Iteration: 3, Stage: "BUILD", ID: "t-1", Began: now.Add(-75 * time.Second), Tokens: 45_000, Context: 50_000, Window: 200_000, Cost: 0.5,
		Tool: "Bash make test", Done: 2, Accepted: 1, Rejected: 4, Left: 3, Typical: 2 * time.Minute, Stopping: true,
	}
	want := []string{
		"  BUILD t-1 · iteration 3 · 1m15s · 45k tokens · $0.50 · context 25 %",
		"  2 done, 1 accepted, 4 rejected, 3 to do · about 6m0s to go",
		"  stopping after this iteration; press Ctrl-C again to stop now",
		"  > Bash make test",
	}
	for i, c := range liveLines(live, now) {
		if i >= len(want) || c.Text != want[i] {
			t.Errorf("%d: %q", i, c.Text)
		}
	}
	live.Left, live.Typical = 1, time.Second
	if got := liveLines(live, now)[1].Text; !strings.HasSuffix(got, "about 10 s to go") {
		t.Errorf("%q", got)
	}
}

// TestLiveView guards: the live view stands below the lines and nothing of it stays, on a terminal that is resized too; what
// comes from an agent does not steer the terminal.
func TestLiveView(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := &screen{width: 40}
	env := &term.Env{Terminal: true, Width: 60}
	var out bytes.Buffer
	env.Out, env.Colour, env.WidthNow = &out, false, func() int { return s.width }
	env.Now = func() time.Time { return now }
	flush := func() {
		t.Helper()
		s.write(t, out.String())
		out.Reset()
	}
	r := newLiveReporter(env)
	live := loop.Live{
		Iteration: 3, Stage: "BUILD", ID: "t-1", Began: now.Add(-time.Minute), Tokens: 45_000, Context: 50_000, Window: 200_000, Cost: 0.5,
		Tool: "Bash \x1b[2J" + strings.Repeat("long ", 20), Done: 2, Left: 3, Typical: 2 * time.Minute,
	}
	r.Report(loop.Event{Kind: loop.IterationBegan, Iteration: 3, Stage: "BUILD", ID: "t-1", Name: "one"})
	r.Progress(live)
	flush()
	want := []string{"3 BUILD t-1 one", "  BUILD t-1 · iteration 3 · 1m0s · 45k…", "  2 done, 0 accepted, 0 rejected, 3 to…", `  > Bash \x1b[2Jlong long long long lo…`}
	if strings.Join(s.rows, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(s.rows, "\n"))
	}
	// The terminal becomes narrower, and breaks the rows.
	s.rows, s.width = []string{"3 BUILD t-1 one", "a", "a", "b", "b", "c", "c"}, 20
	now = now.Add(time.Second)
	r.Progress(live)
	flush()
	if len(s.rows) != 4 || s.rows[0] != "3 BUILD t-1 one" {
		t.Errorf("after the resize\n%s", strings.Join(s.rows, "\n"))
	}
	r.Progress(loop.Live{Until: now.Add(time.Hour), Tool: "limit"}) // too soon to be drawn
	now = now.Add(time.Second)
	r.Progress(loop.Live{Until: now.Add(time.Minute), Tool: "limit"})
	flush()
	if len(s.rows) != 2 || s.rows[1] != "  waiting 1m0s mor…" && !strings.HasPrefix(s.rows[1], "  waiting 1m0s") {
		t.Errorf("waiting\n%s", strings.Join(s.rows, "\n"))
	}
	r.finish(loop.Summary{Why: loop.Complete})
	flush()
	if got := strings.Join(s.rows, "\n"); got != "3 BUILD t-1 one\ncomplete" {
		t.Errorf("at the end\n%s", got)
	}
}
