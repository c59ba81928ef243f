package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/test/gittest"
)

// onTerminal runs one command line as on a terminal of 80 columns, at some time.
func onTerminal(t *testing.T, r *gittest.Repo, now string, args ...string) string {
	t.Helper()
	at, err := time.Parse(time.RFC3339, now)
	if err != nil {
		t.Fatal(err)
	}
	var out, messages bytes.Buffer
	env := &term.Env{
		Dir: r.Dir, Environ: append(r.Env, "GIT_PAGER=cat"), In: strings.NewReader(""), Out: &out, Err: &messages,
		Terminal: true, Width: term.DefaultWidth, Now: func() time.Time { return at }, Random: func(n int) int { return n - 1 },
	}
	if code := Main(context.Background(), append([]string{"git-ralph"}, args...), env); code != 0 {
		t.Fatalf("%v: %d %s", args, code, messages.String())
	}
	return out.String()
}

// planOn commits a plan by hand at some time.
func planOn(r *gittest.Repo, date string, lines ...string) {
	commitPlan(r.Setenv("GIT_AUTHOR_DATE", date).Setenv("GIT_COMMITTER_DATE", date), lines...)
}

// log shows the time where two events share a day or one is less than a week old; show says in which zone.
func TestTimesOfDay(t *testing.T) {
	r := gittest.NewRepo(t)
	planOn(r, "2026-01-05T08:15:00+02:00", specRow)
	planOn(r, "2026-01-06T09:30:00+02:00", specRow, openRow)
	planOn(r, "2026-01-06T21:45:00-07:30", specRow, strings.Replace(openRow, `"x"`, `"y"`, 1))
	planOn(r, "2026-02-01T10:00:00Z", specRow)
	for now, want := range map[string][]string{
		"2026-02-05T10:00:00Z": {"02-01 10:00  cancelled", "01-06 21:45  edited", "01-06 09:30  added", "2026-01-05   spec"},
		"2026-03-01T10:00:00Z": {"2026-02-01   cancelled", "01-06 21:45  edited", "01-06 09:30  added", "2026-01-05   spec"},
		"2027-03-01T10:00:00Z": {"2026-02-01        cancelled", "2026-01-06 21:45  edited", "2026-01-06 09:30  added", "2026-01-05        spec"},
	} {
		out := onTerminal(t, r, now, "log")
		for _, line := range want {
			if !strings.Contains(out, line) {
				t.Errorf("at %s: no %q in\n%s", now, line, out)
			}
		}
	}
	if out := onTerminal(t, r, "2026-03-01T10:00:00Z", "show", "t-1a2b"); !strings.Contains(out, "2026-01-06 09:30 +0200") || !strings.Contains(out, "2026-01-06 21:45 -0730") {
		t.Errorf("no time zones in\n%s", out)
	}
	if out := onTerminal(t, r, "2026-03-01T10:00:00Z", "log", "--task", "t-1a2b", "--limit", "1"); strings.Contains(out, ":") {
		t.Errorf("one old event has a time:\n%s", out)
	}
}

// log --stat counts by spec, branch and author, with the medians of how long it took.
func TestStatOnATerminal(t *testing.T) {
	r := gittest.NewRepo(t)
	planOn(r, "2026-01-05T08:00:00Z", specRow)
	planOn(r, "2026-01-05T09:00:00Z", specRow, openRow)
	planOn(r.Setenv("GIT_AUTHOR_EMAIL", "bob@example.org"), "2026-01-05T11:00:00Z", specRow, doneRow)
	planOn(r, "2026-01-05T11:30:00Z", specRow)
	out := onTerminal(t, r, "2026-03-01T10:00:00Z", "log", "--stat")
	var rows []string
	for line := range strings.Lines(out) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		"new done acc rej canc dec try to done to acc",
		"all 1 1 1 0 0 0 1.0 2.0h 30.0m",
		"by spec", "coverage.md 1 1 1 0 0 0 1.0 2.0h 30.0m",
		"by branch", "main 1 1 1 0 0 0 1.0 2.0h 30.0m",
		"by author", "author@example.com 1 0 1 0 0 0 30.0m", "bob@example.org 0 1 0 0 0 0 1.0 2.0h",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("got\n%q\nwant\n%q", rows, want)
	}
}

// A --fetch that fails says so, and which remote, and nothing is printed from half of the history.
func TestFailingFetch(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow)
	commitPlan(r, specRow)
	r.Git("config", "uploadpack.allowFilter", "true")
	r.Git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+r.Dir, "../partial")
	partial := r.At("../partial")
	partial.Git("remote", "set-url", "origin", "file://"+r.Dir+"-none")
	for _, args := range [][]string{{"log"}, {"log", "--all", "--format", "text"}, {"show", "t-1a2b"}, {"restore", "t-1a2b"}} {
		out, messages, code := logIn(t, partial, append(args, "--fetch")...)
		if code != cmdline.ExitFailed || out != "" || !strings.Contains(messages, "git-ralph: error: cannot fetch") || !strings.Contains(messages, "-none") {
			t.Errorf("%v: %d %s%s", args, code, out, messages)
		}
	}
	if _, messages, code := logIn(t, partial, "log"); code != cmdline.ExitDone || !strings.Contains(messages, "--fetch") {
		t.Errorf("without the flag: %d %s", code, messages)
	}
}

// A decomposed task is not listed as cancelled, and restore says so.
func TestDecomposedIsNotCancelled(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow, strings.Replace(openRow, "t-1a2b", "t-cancelled", 1))
	must(t, r, []string{"task", "cancel", "t-cancelled"}, []string{"task", "kill", "t-1a2b", "timeout"},
		[]string{"task", "decompose", "t-1a2b", `{"id": "t-c1", "name": "a"}`, `{"id": "t-c2", "name": "b"}`})
	ids := func(status string) (ids []string) {
		for _, task := range readLog(t, r, "--all", "--status", status).Tasks {
			ids = append(ids, task.ID)
		}
		return ids
	}
	if got := ids("cancelled"); !slices.Equal(got, []string{"t-cancelled"}) {
		t.Errorf("cancelled: %q", got)
	}
	if got := ids("decomposed"); !slices.Equal(got, []string{"t-1a2b"}) {
		t.Errorf("decomposed: %q", got)
	}
	for _, args := range [][]string{{"log"}, {"log", "--oneline"}, {"show", "t-1a2b"}} {
		out := onTerminal(t, r, "2030-01-01T00:00:00Z", args...)
		decomposed := 0
		for line := range strings.Lines(out) {
			if strings.Contains(line, "t-1a2b") && strings.Contains(line, "cancelled") {
				t.Errorf("%v: %s", args, line)
			}
			if strings.Contains(line, "decomposed") {
				decomposed++
			}
		}
		if decomposed == 0 {
			t.Errorf("%v:\n%s", args, out)
		}
	}
}

// log --stat does not count a decomposition as a cancellation, for people and for programs.
func TestStatCountsDecompositions(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow, strings.Replace(openRow, "t-1a2b", "t-cancelled", 1))
	must(t, r, []string{"task", "cancel", "t-cancelled"}, []string{"task", "kill", "t-1a2b", "timeout"},
		[]string{"task", "decompose", "t-1a2b", `{"id": "t-c1", "name": "a"}`, `{"id": "t-c2", "name": "b"}`, `{"id": "t-c3", "name": "c"}`})
	out, _, _ := logIn(t, r, "log", "--stat", "--json")
	var counts struct{ Total map[string]*int }
	if err := json.Unmarshal([]byte(out), &counts); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"created": 5, "cancelled": 1, "decomposed": 1} {
		if got := counts.Total[name]; got == nil || *got != want {
			t.Errorf("%s: want %d in %s", name, want, out)
		}
	}
	rows := strings.Split(onTerminal(t, r, "2030-01-01T00:00:00Z", "log", "--stat"), "\n")
	for i, want := range []string{"new done acc rej canc dec try to done to acc", "all 5 0 0 0 1 1"} {
		if got := strings.Join(strings.Fields(rows[i]), " "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// restore warns where it brings back what was taken out on purpose, and only there.
func TestRestoreWarnsOfPurpose(t *testing.T) {
	begin := func(t *testing.T) *gittest.Repo {
		r := gittest.NewRepo(t)
		commitPlan(r, specRow, openRow)
		return r
	}
	for way, row := range map[string]struct {
		remove  func(t *testing.T, r *gittest.Repo)
		warning string
	}{
		"cancelled":       {func(t *testing.T, r *gittest.Repo) { must(t, r, []string{"task", "cancel", "t-1a2b"}) }, "t-1a2b was cancelled on purpose by author@example.com on "},
		"removed by hand": {func(t *testing.T, r *gittest.Repo) { commitPlan(r, specRow) }, "t-1a2b was taken out of the plan by author@example.com on "},
		"decomposed": {func(t *testing.T, r *gittest.Repo) {
			must(t, r, []string{"task", "kill", "t-1a2b", "timeout"}, []string{"task", "decompose", "t-1a2b", `{"id": "t-c1", "name": "a"}`, `{"id": "t-c2", "name": "b"}`})
		}, "t-1a2b was decomposed into t-c1, t-c2 by author@example.com on "},
		"dropped by a merge": {func(t *testing.T, r *gittest.Repo) {
			r.Git("checkout", "-q", "--orphan", "side")
			commitPlan(r, specRow)
			r.Git("checkout", "-q", "main")
			r.Git("checkout", "-q", "side")
			r.Git("merge", "-q", "-s", "ours", "--allow-unrelated-histories", "--no-edit", "main")
		}, ""},
	} {
		t.Run(way, func(t *testing.T) {
			r := begin(t)
			row.remove(t, r)
			_, messages, code := logIn(t, r, "restore", "t-1a2b")
			if code != cmdline.ExitDone || row.warning == "" && strings.Contains(messages, "warning") || !strings.Contains(messages, row.warning) {
				t.Errorf("%d %s", code, messages)
			}
		})
	}
}
