package viewio

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/journal"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/landed"
	"git-ralph/internal/store"
	"git-ralph/internal/test/gittest"
	"git-ralph/internal/view"
)

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// in returns the worktree that a repository is in, at noon.
func in(r *gittest.Repo) *Worktree {
	return In(&term.Env{
		Dir: r.Dir, Environ: r.Env, Now: func() time.Time { return noon }, Random: func(int) int { return 7 }, LongLived: true,
	}, "")
}

// at commits a plan of the lines at a time.
func at(r *gittest.Repo, when time.Time, lines ...string) string {
	return commit(r, when, "plan", lines...)
}

func commit(r *gittest.Repo, when time.Time, message string, lines ...string) string {
	text := when.Format(time.RFC3339)
	return r.Setenv("GIT_AUTHOR_DATE", text).Setenv("GIT_COMMITTER_DATE", text).Commit(message, map[string]string{
		store.DefaultPath: strings.Join(append([]string{`{"t": "spec", "spec": "a.md"}`}, lines...), "\n") + "\n", "at": text,
	})
}

func task(id, more string) string {
	return fmt.Sprintf(`{"t": "task", "id": %q, "spec": "a.md", "name": "Name of %s"%s}`, id, id, more)
}

// ids lists the ids of a column.
func ids(b view.Board, status view.Status) (all []string) {
	for _, c := range b.Columns {
		if c.Status == status {
			for _, card := range c.Cards {
				all = append(all, card.ID())
			}
		}
	}
	return all
}

const doneAs = `, "s": "d", "done_at": "123456789abc", "attempt": "%s"`

// TestPast: the board of an old commit is what it was then, with what had been accepted that day; and the commits are those of the line
// of first parents on which the plan changed.
func TestPast(t *testing.T) {
	r := gittest.NewRepo(t)
	one := fmt.Sprintf(doneAs, "aaaa")
	var commits []string
	add := func(when time.Time, message string, lines ...string) {
		commits = append(commits, commit(r, when, message, lines...))
	}
	accepts := func(id string) string { return "ralph: accept\n\nRalph-Event: accepted " + id }
	add(noon.Add(-49*time.Hour), "add", task("t-one1", `, "s": "p", "notes": "as it was"`), task("t-two2", `, "s": "p"`), task("t-three", `, "s": "p"`))
	add(noon.Add(-48*time.Hour), "done", task("t-one1", one+`, "notes": "as it is"`), task("t-two2", `, "s": "p"`), task("t-three", `, "s": "p"`))
	add(noon.Add(-47*time.Hour), accepts("t-one1"), task("t-two2", `, "s": "p"`), task("t-three", `, "s": "p"`))
	r.Git("checkout", "-q", "-b", "topic")
	at(r, noon.Add(-3*time.Hour), task("t-two2", fmt.Sprintf(doneAs, "bbbb")), task("t-three", `, "s": "p"`))
	r.Git("checkout", "-q", "main")
	r.Commit("no plan", map[string]string{"other": "1"})
	r.Git("merge", "-q", "--no-ff", "-m", "merge", "topic")
	commits = append(commits, r.Git("rev-parse", "HEAD"))
	add(noon.Add(-time.Hour), accepts("t-two2"), task("t-three", `, "s": "p"`))

	w := in(r)
	d, err := w.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(d.Board(), view.Accepted); !slices.Equal(got, []string{"t-two2"}) {
		t.Errorf("accepted today: %v", got)
	}
	var listed []string
	for _, c := range slices.Backward(d.History.PlanCommits()) {
		listed = append(listed, fmt.Sprintf("%x", c.ID[:d.History.IDSize()]))
	}
	if !slices.Equal(listed, commits) {
		t.Errorf("commits with another plan: %v\nwant %v", listed, commits)
	}
	old, err := w.ReadAt(t.Context(), commits[2], d.History)
	if err != nil {
		t.Fatal(err)
	}
	if b := old.Board(); !slices.Equal(ids(b, view.Accepted), []string{"t-one1"}) || len(ids(b, view.Ready)) != 2 {
		t.Errorf("%v accepted, %v ready", ids(b, view.Accepted), ids(b, view.Ready))
	}
	two, _ := old.Task("t-two2")
	if len(two.Events) != 1 || len(two.Attempts) != 0 || two.Status != view.Ready {
		t.Errorf("then it was %s, with %d events and %d attempts", two.Status, len(two.Events), len(two.Attempts))
	}
	gone, ok := d.Task("t-one1")
	if !ok || gone.InPlan || gone.Status != view.Accepted {
		t.Errorf("%+v", gone.Card)
	}
	if change := gone.Events[1].Fields; len(change) != 1 || change[0].Name != "notes" || len(change[0].Words) == 0 {
		t.Errorf("%+v is to be a word diff of the notes alone", change)
	}
}

// TestLanded: what has landed is found out where there is a target, and again only when that moves.
func TestLanded(t *testing.T) {
	r := gittest.NewRepo(t)
	at(r, noon, task("t-one1", `, "s": "p"`))
	r.Git("checkout", "-q", "-b", "topic")
	at(r, noon, task("t-one1", fmt.Sprintf(doneAs, "aaaa")))
	w := in(r)
	read := func() *view.Data {
		d, err := w.All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if d := read(); d.Landed != nil {
		t.Errorf("nobody asked: %v", d.Landed)
	}
	r.Git("config", "ralph.target", "main")
	for range 2 {
		if d := read(); d.Landed["t-one1"] != landed.No || len(ids(d.Board(), view.Done)) != 1 {
			t.Errorf("%v", d.Landed)
		}
	}
	r.Git("branch", "-f", "main", "topic")
	if d := read(); d.Landed["t-one1"] != landed.Yes || len(ids(d.Board(), view.Landed)) != 1 {
		t.Errorf("%v", d.Landed)
	}
}

// writeRun writes the journal of a run.
func writeRun(t *testing.T, gitDir, name string, events ...string) {
	t.Helper()
	dir := filepath.Join(gitDir, "ralph", "runs", name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "run.jsonl"), []byte(strings.Join(events, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestRuns: what an agent took counts once, though a team's journal and that of its worker have it; and a run without an end was killed.
func TestRuns(t *testing.T) {
	r := gittest.NewRepo(t)
	at(r, noon, task("t-one1", `, "s": "p"`))
	common, linked := r.Path(".git"), filepath.Join(r.Path(".git"), "worktrees", "builder-1")
	r.Git("worktree", "add", "-q", "--detach", filepath.Join(t.TempDir(), "builder-1"))
	const team, worker, alone = "20260131T100000.000-0001", "20260131T100001.000-0002", "20260131T090000.000-0003"
	iteration := `{"t": "iteration", "at": "2026-01-31T10:00:02.000Z", "iteration": 1, "stage": "BUILD", "id": "t-one1", "log": "` + worker + `/1.log"`
	outcome := `{"t": "outcome", "at": "2026-01-31T10:01:02.000Z", "iteration": 1, "id": "t-one1", "result": "progress", "ms": 60000, "tokens": 500, "cost": 0.2500`
	began := `{"t": "run", "at": "2026-01-31T10:00:01.000Z", "run": "` + worker + `", "agent": "claude"`
	of := `, "worker": "builder-1"}`
	writeRun(t, common, team, `{"t": "run", "at": "2026-01-31T10:00:00.000Z", "run": "`+team+`"}`, began+of, iteration+of, outcome+of, `{"t": "end", "at": "2026-01-31T10:02:00.000Z", "why": "complete"`+of, `{"t": "end", "at": "2026-01-31T10:02:01.000Z", "why": "complete", "text": "All."}`)
	writeRun(t, linked, worker, began+"}", iteration+"}", outcome+"}", `{"t": "end", "at": "2026-01-31T10:02:00.000Z", "why": "goal reached"}`)
	writeRun(t, linked, alone, `{"t": "run", "at": "2026-01-31T09:00:00.000Z", "run": "`+alone+`", "agent": "codex"}`, `{"t": "iteration", "at": "2026-01-31T09:00:00.000Z", "iteration": 1, "id": "t-one1"}`, `{"t": "outco`)
	w := in(r)
	for range 2 { // the second time, from what is known
		d, err := w.Read(t.Context())
		if err == nil {
			d, err = w.WithRuns(t.Context(), d)
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Runs) != 2 || d.Runs[0].Name != alone || d.Runs[1].Name != team || len(d.Workers) != 0 {
			t.Fatalf("%+v", d.Runs)
		}
		if one := d.Runs[0]; one.Why != "killed" || one.Agent != "codex" || len(one.Iterations) != 1 || one.Iterations[0].Result != "" {
			t.Errorf("%+v", one)
		}
		if one := d.Runs[1]; one.Why != "complete" || one.Text != "All." || len(one.Iterations) != 1 || one.Iterations[0].Worker != "builder-1" || one.Worktree != r.Dir {
			t.Errorf("%+v", one)
		}
		task, _ := d.Task("t-one1")
		if want := (view.Usage{Iterations: 2, Took: time.Minute, Tokens: 500, Cost: 0.25}); task.Usage != want {
			t.Errorf("%+v; want %+v", task.Usage, want)
		}
	}
}

// TestWorkers: who is at work is known while the process of the run lives, of a team as well as of a run by itself.
func TestWorkers(t *testing.T) {
	r := gittest.NewRepo(t)
	at(r, noon, task("t-one1", `, "s": "p"`))
	run, err := journal.Of(r.Path(".git")).Begin("20260131T100000.000-0001", "test", 5)
	if err != nil {
		t.Fatal(err)
	}
	w := in(r)
	workers := func(live string) []view.Worker {
		if live != "" {
			o, err := jsonl.ParseObject(live)
			if err != nil {
				t.Fatal(err)
			}
			run.WriteLive(o)
		}
		d, err := w.Read(t.Context())
		if err == nil {
			d, err = w.WithRuns(t.Context(), d)
		}
		if err != nil || len(d.Runs) != 1 || (d.Runs[0].PID == 0) != (d.Runs[0].Why == "killed") {
			t.Fatalf("%+v, %v", d, err)
		}
		return d.Workers
	}
	one := workers(`{"iteration": 2, "stage": "BUILD", "id": "t-one1", "name": "One", "began": "2026-01-31T10:00:00Z", "tokens": 7, "cost": 0.5, "tool": "Bash"}`)
	want := view.Worker{Name: run.Name, Worktree: r.Dir, Stage: "BUILD", ID: "t-one1", Task: "One", Tool: "Bash", Began: noon.Add(-2 * time.Hour), Tokens: 7, Cost: 0.5}
	if len(one) != 1 || one[0] != want {
		t.Errorf("%+v\nwant %+v", one, want)
	}
	team := workers(`{"workers": [{"name": "builder-1", "state": "working", "stage": "BUILD", "id": "t-one1", "task": "One", "tokens": 7, "cost": 0.5}, {"name": "builder-2", "state": "waiting", "tokens": 0, "cost": 0}]}`)
	if len(team) != 2 || team[0].Name != "builder-1" || team[1].State != "waiting" {
		t.Errorf("%+v", team)
	}
	run.Close()
	if gone := workers(""); len(gone) != 0 {
		t.Errorf("nobody works any more: %+v", gone)
	}
}

// TestList: the worktrees that are there, and not those that were deleted.
func TestList(t *testing.T) {
	r := gittest.NewRepo(t)
	at(r, noon)
	there, gone := filepath.Join(t.TempDir(), "there"), filepath.Join(t.TempDir(), "gone")
	r.Git("worktree", "add", "-q", "-b", "there", there)
	r.Git("worktree", "add", "-q", "-b", "gone", gone)
	if err := os.RemoveAll(gone); err != nil {
		t.Fatal(err)
	}
	all, err := in(r.At(there)).List(t.Context())
	if err != nil || len(all) != 2 || all[0].Branch != "refs/heads/main" || all[1].Branch != "refs/heads/there" {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestHistoryAgain: the history is read again where something was committed or a branch came, and only then; until it was read, the board shows
// what was accepted today as it was known, but not yesterday's.
func TestHistoryAgain(t *testing.T) {
	r := gittest.NewRepo(t)
	now := noon
	w := In(&term.Env{Dir: r.Dir, Environ: r.Env, Now: func() time.Time { return now }, Random: func(int) int { return 7 }, LongLived: true, Version: "test"}, "")
	at(r, noon.Add(-3*time.Hour), task("t-one1", fmt.Sprintf(doneAs, "aaaa")), task("t-two2", `, "s": "p"`))
	commit(r, noon.Add(-2*time.Hour), "ralph: accept\n\nRalph-Event: accepted t-one1", task("t-two2", `, "s": "p"`))
	read := func() *view.Data {
		t.Helper()
		d, err := w.All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := read()
	if err := os.WriteFile(r.Path(store.DefaultPath), []byte(task("t-three", `, "s": "p"`)+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if read().History != first.History {
		t.Error("an edit that was not committed: the history was read again")
	}
	r.Git("branch", "topic")
	second := read()
	if second.History == first.History {
		t.Error("a new branch: the history was not read again")
	}
	at(r, noon.Add(-time.Hour), task("t-three", `, "s": "p"`))
	third := read()
	if got := len(third.History.Events) - len(second.History.Events); got == 0 {
		t.Error("a commit: the history was not read again")
	}
	for _, c := range []struct {
		now  time.Time
		want []string
	}{{noon, []string{"t-one1"}}, {noon.Add(24 * time.Hour), nil}} {
		now = c.now
		d, err := w.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		once := d.After(third)
		for _, shown := range []*view.Data{once, d.After(once)} {
			if got := ids(shown.Board(), view.Accepted); !slices.Equal(got, c.want) {
				t.Errorf("accepted on %s: %s, want %s", c.now, got, c.want)
			}
		}
	}
}
