package runcmd

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/loop"
	"git-ralph/internal/team"
)

// There is a line for each worker, with its task, its time, what it has used and its tool, and one for the queue. What comes from
// an agent or the plan does not control the terminal.
func TestTeamLines(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	live := team.Live{
		Workers: []team.WorkerLive{
			{Member: team.Member{Name: "builder-1", Role: team.Builder}, State: team.Working, Stage: "BUILD", ID: "t-1", Task: "One\nmore", Began: now.Add(-time.Minute), Tokens: 45_000, Cost: 0.5, Tool: "Bash \x1b[2J"},
			{Member: team.Member{Name: "validator-1", Role: team.Validator}, State: team.Waiting},
		},
		Board: team.Board{Pending: 7, Ready: 2, Landing: 1}, Summary: &team.Summary{Landed: 3, Returned: 1}, Left: time.Minute,
	}
	live.Summary.Rejected, live.Summary.Accepted = 2, 1
	want := []string{
		`  builder-1    BUILD t-1 One  1m0s · 45k tokens · $0.50 · > Bash \x1b[2J`,
		"  validator-1  waiting",
		"  7 to do, 2 of them ready · 1 waiting to land · 3 landed, 1 returned, 2 rejected, 1 accepted · about 1m0s to go",
	}
	for i, c := range teamLines(live, now) {
		if i >= len(want) || term.Printable(c.Text) != want[i] {
			t.Errorf("%q", c.Text)
		}
	}
}

// The report stays a table, whatever a task is called.
func TestTeamReport(t *testing.T) {
	s := team.Summary{Summary: loop.Summary{Why: loop.Complete, Iterations: 1}, Workers: []team.WorkerSummary{{Member: team.Member{Name: "builder-1"}, Starts: 1}}}
	s.Tasks = []team.TaskSummary{{ID: "t-1", Name: "a | b\x1b\nc", Workers: []string{"builder-1"}, Landed: 1, Accepted: 1}}
	got := teamReport("Team run RUN", s)
	for _, want := range []string{"# Team run RUN\n", "\ncomplete · 1 iteration · ", "| builder-1 | 1 | 0 |", `| t-1 | a \| b\x1b | builder-1 | 1 | 0 | 0 | 1 |`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// The view of a team is below the events, and nothing of it stays.
func TestTeamView(t *testing.T) {
	s := &screen{width: 60}
	var out bytes.Buffer
	env := &term.Env{Terminal: true, Width: 60, Out: &out, Now: func() time.Time { return time.Unix(0, 0) }}
	r := newTeamReporter(env, false)
	r.Report(team.Event{Event: loop.Event{Kind: loop.RunBegan, Run: "RUN"}})
	r.Progress(team.Live{Summary: &team.Summary{}, Workers: []team.WorkerLive{{Member: team.Member{Name: "builder-1"}, State: team.Waiting}}})
	s.write(t, out.String())
	if len(s.rows) != 3 || s.rows[0] != "run RUN" || s.rows[1] != "  builder-1  waiting" {
		t.Errorf("%q", s.rows)
	}
	out.Reset()
	r.finish(team.Summary{Summary: loop.Summary{Why: loop.Complete}}, "report.md")
	s.write(t, out.String())
	if strings.Join(s.rows, "\n") != "run RUN\ncomplete\nthe tasks one by one: report.md" {
		t.Errorf("%q", s.rows)
	}
}
