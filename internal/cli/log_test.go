package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/test/gittest"
	"git-ralph/internal/test/oracle"
)

const planFile = "ralph/plan.jsonl"

// logIn runs one command line in a repository and returns what it printed.
func logIn(t testing.TB, r *gittest.Repo, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, messages bytes.Buffer
	env := &term.Env{
		Dir: r.Dir, Environ: r.Env, In: strings.NewReader(""), Out: &out, Err: &messages,
		Now: time.Now, Random: func(n int) int { return n - 1 }, Width: term.DefaultWidth,
	}
	code = Main(context.Background(), append([]string{"git-ralph"}, args...), env)
	return out.String(), messages.String(), code
}

// commitPlan commits a plan of some lines by hand.
func commitPlan(r *gittest.Repo, lines ...string) string {
	return r.Commit("by hand", map[string]string{planFile: strings.Join(lines, "\n") + "\n"})
}

// readLog returns the history that log prints.
func readLog(t *testing.T, r *gittest.Repo, args ...string) oracle.Report {
	t.Helper()
	out, messages, code := logIn(t, r, append([]string{"log", "--format", "json"}, args...)...)
	if code != 0 {
		t.Fatalf("log %v: %d %s", args, code, messages)
	}
	var h oracle.Report
	if err := json.Unmarshal([]byte(out), &h); err != nil {
		t.Fatal(err)
	}
	return h
}

const (
	specRow = `{"t": "spec", "spec": "coverage.md"}`
	doneRow = `{"t": "task", "id": "t-1a2b", "spec": "coverage.md", "name": "x", "s": "d", "done_at": "abc123"}`
	openRow = `{"t": "task", "id": "t-1a2b", "spec": "coverage.md", "name": "x", "s": "p"}`
	stone   = `{"t": "reject", "id": "t-1a2b", "done_at": "abc123", "reason": "Output format doesn't match spec"}`
)

// A task that left the file was accepted, rejected or cancelled, as done_at and
// tombstones say (docs/history.md, "How a task ends").
func TestInterpretation(t *testing.T) {
	for _, row := range []struct {
		state, tombstone string
		before, after    []string
		want             string
	}{
		{"done_at set, removed from file", "none", []string{specRow, doneRow}, []string{specRow}, "accepted"},
		{"done_at set, removed from file", "present", []string{specRow, doneRow}, []string{specRow, stone}, "rejected"},
		{"done_at set, removed from file", "there before", []string{specRow, stone, doneRow}, []string{specRow, stone}, "rejected"},
		{"done_at set, removed from file", "of another attempt", []string{specRow, doneRow}, []string{specRow, strings.Replace(stone, "abc123", "fff", 1)}, "accepted"},
		{"no done_at, removed from file", "none", []string{specRow, openRow}, []string{specRow}, "cancelled"},
		{"no done_at, removed from file", "present", []string{specRow, openRow}, []string{specRow, stone}, "cancelled"},
		{"done_at set, spec changed", "none", []string{specRow, doneRow}, []string{`{"t": "spec", "spec": "other.md"}`}, "cancelled"},
	} {
		t.Run(row.state+", tombstone "+row.tombstone, func(t *testing.T) {
			r := gittest.NewRepo(t)
			commitPlan(r, row.before...)
			last := commitPlan(r, row.after...)
			h := readLog(t, r, "--all")
			if len(h.Tasks) != 1 || h.Tasks[0].Status != row.want {
				t.Fatalf("got %+v", h.Tasks)
			}
			moment := map[string]*oracle.Moment{"accepted": h.Tasks[0].Accepted, "rejected": h.Tasks[0].Rejected, "cancelled": h.Tasks[0].Cancelled}[row.want]
			if moment == nil || moment.Commit != last {
				t.Errorf("%s: %+v", row.want, moment)
			}
		})
	}
}

// The members of a task's history have these names and shapes (docs/history.md,
// "JSON").
func TestHistoryFormat(t *testing.T) {
	r := gittest.NewRepo(t).Setenv("GIT_AUTHOR_DATE", "2026-01-18T10:00:00+01:00").Setenv("GIT_AUTHOR_EMAIL", "user@email")
	r.Git("checkout", "-q", "-b", "feature/coverage")
	created := commitPlan(r, specRow, openRow)
	done := commitPlan(r, specRow, strings.Replace(doneRow, "abc123", created[:12], 1))
	accepted := commitPlan(r, specRow)
	out, _, _ := logIn(t, r, "log", "--all")
	var got struct{ Tasks []map[string]any }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	task, _ := json.Marshal(got.Tasks[0])
	const date = "2026-01-18T10:00:00+01:00"
	moment := func(commit, more string) string { return fmt.Sprintf(`{"commit":%q,"date":%q%s}`, commit, date, more) }
	doneAt := fmt.Sprintf(`,"done_at":%q`, created[:12])
	const inferred = `,"source":"inferred"` // no trailer says it
	want := `{"accepted":` + moment(accepted, inferred) + `,"attempts":[{"accepted":` + moment(accepted, inferred) + `,"done":` + moment(done, doneAt) + `}]` +
		`,"author":"user@email","branch":"feature/coverage","created":` + moment(created, "") + `,"desc":"x","done":` + moment(done, doneAt) +
		`,"id":"t-1a2b","name":"x","spec":"coverage.md","status":"accepted"}`
	if string(task) != want {
		t.Errorf("got  %s\nwant %s", task, want)
	}
}

// worked is what the branch of the tests below did.
var worked = []string{"accepted t-1", "added t-1", "added t-2", "done t-1"}

// workOnBranch adds tasks on feature/x, does one and accepts it, with the program
// or by hand.
func workOnBranch(t *testing.T, r *gittest.Repo, byHand bool) {
	t.Helper()
	commitPlan(r, specRow)
	r.Git("checkout", "-q", "-b", "feature/x")
	if byHand {
		one := strings.Replace(openRow, "t-1a2b", "t-1", 1)
		commitPlan(r, specRow, one)
		commitPlan(r, specRow, one, strings.Replace(openRow, "t-1a2b", "t-2", 1))
		commitPlan(r, specRow, strings.Replace(doneRow, "t-1a2b", "t-1", 1), strings.Replace(openRow, "t-1a2b", "t-2", 1))
		commitPlan(r, specRow, strings.Replace(openRow, "t-1a2b", "t-2", 1))
	} else {
		for _, args := range [][]string{
			{"task", "add", `{"id": "t-1", "name": "one"}`}, {"task", "add", `{"id": "t-2", "name": "two"}`}, {"task", "done", "t-1"}, {"task", "accept", "t-1"},
		} {
			if _, messages, code := logIn(t, r, args...); code != 0 {
				t.Fatalf("%v: %s", args, messages)
			}
		}
	}
	r.Git("checkout", "-q", "main")
	r.Commit("elsewhere", map[string]string{"other": "x"})
}

func namedOn(t *testing.T, r *gittest.Repo, branch string) []string {
	t.Helper()
	var names []string
	for _, e := range readLog(t, r, "--branch", branch).Events {
		if e.ID != nil {
			names = append(names, e.Event+" "+*e.ID)
		}
	}
	slices.Sort(names)
	return names
}

// log --branch names the same work before and after the branch was merged, in
// every way there is, and when it is gone (docs/history.md, "Branches").
func TestBranchIsRemembered(t *testing.T) {
	squash := func(r *gittest.Repo) {
		r.Git("merge", "-q", "--squash", "feature/x")
		r.Git("commit", "-q", "--no-edit")
	}
	ways := map[string]func(r *gittest.Repo){
		"not merged":   func(*gittest.Repo) {},
		"merge commit": func(r *gittest.Repo) { r.Git("merge", "-q", "--no-edit", "feature/x") },
		"squash":       squash,
		"squash by a forge": func(r *gittest.Repo) {
			var body strings.Builder
			for commit := range strings.FieldsSeq(r.Git("rev-list", "--reverse", "main..feature/x")) {
				body.WriteString("* " + r.Git("log", "-1", "--format=%B", commit) + "\n")
			}
			r.Git("merge", "-q", "--squash", "feature/x")
			r.Git("commit", "-q", "-m", "Feature (#3)", "-m", body.String())
		},
		"rebase": func(r *gittest.Repo) {
			r.Git("rebase", "-q", "main", "feature/x")
			r.Git("checkout", "-q", "main")
			r.Git("merge", "-q", "--ff-only", "feature/x")
		},
		"rebase by a forge": func(r *gittest.Repo) { // the branch itself stays where it was
			r.Git("checkout", "-q", "-b", "copy", "feature/x")
			r.Git("rebase", "-q", "main")
			r.Git("checkout", "-q", "main")
			r.Git("merge", "-q", "--ff-only", "copy")
			r.Git("branch", "-q", "-D", "copy")
		},
		"fast-forward": func(r *gittest.Repo) {
			r.Git("reset", "-q", "--hard", "HEAD~1")
			r.Git("merge", "-q", "--ff-only", "feature/x")
		},
	}
	for way, merge := range ways {
		t.Run(way, func(t *testing.T) {
			r := gittest.NewRepo(t)
			workOnBranch(t, r, false)
			merge(r)
			for _, deleted := range []bool{false, true} {
				if deleted && way == "not merged" {
					continue
				}
				if deleted {
					r.Git("branch", "-q", "-D", "feature/x")
				}
				if got := namedOn(t, r, "feature/x"); !slices.Equal(got, worked) {
					t.Errorf("deleted %v: got %q", deleted, got)
				}
				if got := namedOn(t, r, "main"); len(got) != 0 {
					t.Errorf("on main: %q", got)
				}
			}
		})
	}
}

// A branch may be named as git names it, whatever its remote is called
// (docs/history.md, "Branches").
func TestBranchOfRemote(t *testing.T) {
	for _, remote := range []string{"upstream", "up/stream"} {
		r := gittest.NewRepo(t)
		workOnBranch(t, r, true)
		r.Git("remote", "add", remote, "https://example.org/r.git")
		r.Git("update-ref", "refs/remotes/"+remote+"/feature/x", "feature/x")
		r.Git("branch", "-q", "-D", "feature/x")
		for _, name := range []string{"feature/x", remote + "/feature/x", "remotes/" + remote + "/feature/x", "refs/remotes/" + remote + "/feature/x", "refs/heads/feature/x"} {
			if got := namedOn(t, r, name); !slices.Equal(got, worked) {
				t.Errorf("%s: got %q", name, got)
			}
		}
		for _, name := range []string{"other/feature/x", "stream/feature/x"} {
			if out, messages, code := logIn(t, r, "log", "--branch", name); code != 1 || out != "" {
				t.Errorf("a branch that there never was, %s: %d %q %q", name, code, out, messages)
			}
		}
	}
}

// Work by hand is found on the side of the merge that names its branch, as git
// and forges write that.
func TestBranchOfMergeSubject(t *testing.T) {
	for _, subject := range []string{
		"Merge branch 'feature/x'", "Merge branch 'feature/x' into main", "Merge branch 'feature/x' of example.org:o/r",
		"Merge remote-tracking branch 'origin/feature/x'", "Merge branch 'feature/x' into 'main'\n\nSee merge request o/r!3",
		"Merge pull request #3 from owner/feature/x\n\nA title", "Merge pull request 'A title from a into b' (#3) from feature/x into main",
		"Merge pull request 'A title' (#3) from owner:feature/x into main", "Merged in feature/x (pull request #3)\n\nA title",
		"Merge pull request #3 in PROJ/repo from feature/x to main", "Pull request #3: A title\n\nMerge in PROJ/repo from feature/x to main",
	} {
		r := gittest.NewRepo(t)
		workOnBranch(t, r, true)
		r.Git("merge", "-q", "--no-ff", "-m", subject, "feature/x")
		r.Git("branch", "-q", "-D", "feature/x")
		if got := namedOn(t, r, "feature/x"); !slices.Equal(got, worked) {
			t.Errorf("%s: got %q", subject, got)
		}
	}
}

// What a squash flattened is taken from its message, and marked so.
func TestSquashedHistory(t *testing.T) {
	r := gittest.NewRepo(t)
	workOnBranch(t, r, false)
	r.Git("merge", "-q", "--squash", "feature/x")
	r.Git("commit", "-q", "--no-edit")
	r.Git("branch", "-q", "-D", "feature/x")
	for _, e := range readLog(t, r).Events {
		if e.ID == nil {
			continue
		}
		fromMessage := *e.ID == "t-1" // it came and went within the squash
		if (e.Source == "trailer") != fromMessage {
			t.Errorf("%s %s: source %q", e.Event, *e.ID, e.Source)
		}
	}
}

// A message cannot invent what the plans at hand do not show.
func TestMessagesDoNotInvent(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow)
	r.WriteFile(planFile, specRow+"\n"+openRow+"\n"+strings.Replace(openRow, "t-1a2b", "t-2", 1)+"\n")
	r.Git("commit", "-qam", "x\n\nRalph-Event: accepted t-1a2b {}\nRalph-Event: added t-9 {}\nRalph-Event: done t-2 {}\n"+
		"Ralph-Event: added \x1bx {}\nRalph-Event: cancelled \x1bx {}\nRalph-Event: added I-1 {}\nRalph-Event: cancelled I-1 {}")
	var got []string
	for _, e := range readLog(t, r, "--reverse").Events {
		if e.ID != nil {
			got = append(got, e.Event+" "+*e.ID)
		}
	}
	if want := []string{"added t-1a2b", "added t-2"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// A cancelled task comes back by restore, and its history goes on.
func TestRestoreCommand(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow)
	for _, args := range [][]string{{"task", "cancel", "t-1a2b"}, {"restore", "t-1a2b"}, {"task", "cancel", "t-1a2b"}} {
		if _, messages, code := logIn(t, r, args...); code != 0 {
			t.Fatalf("%v: %s", args, messages)
		}
	}
	h := readLog(t, r, "--task", "t-1a")
	var got []string
	for _, e := range h.Events {
		got = append(got, e.Event)
	}
	if want := []string{"cancelled", "reopened", "cancelled", "added"}; !slices.Equal(got, want) || h.Tasks[0].Status != "cancelled" {
		t.Errorf("got %q, %s", got, h.Tasks[0].Status)
	}
	if _, messages, code := logIn(t, r, "restore", "t-none"); code != 1 || !strings.Contains(messages, "t-none") {
		t.Errorf("restore of an unknown id: %d %s", code, messages)
	}
}

// A task that is named twice comes back once.
func TestRestoreTwice(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow)
	commitPlan(r, specRow)
	if _, messages, code := logIn(t, r, "restore", "t-1a2b", "t-1a", "t-1a2b"); code != 0 {
		t.Fatalf("%d %s", code, messages)
	}
	if got := strings.Count(r.Git("show", "HEAD:"+planFile), `"t-1a2b"`); got != 1 {
		t.Errorf("the plan has it %d times", got)
	}
	if got := strings.Count(r.Git("log", "-1", "--format=%B"), "Ralph-Event:"); got != 1 {
		t.Errorf("the commit has it %d times", got)
	}
}

// A task that was cancelled without a commit comes back too: the plan is then as
// HEAD has it, and there is nothing to commit.
func TestRestoreUncommitted(t *testing.T) {
	r := gittest.NewRepo(t)
	head := commitPlan(r, specRow, openRow, strings.Replace(doneRow, "t-1a2b", "t-2", 1))
	for _, args := range [][]string{{"task", "cancel", "t-1a2b", "--no-commit"}, {"restore", "t-1a2b"}} {
		if _, messages, code := logIn(t, r, args...); code != 0 {
			t.Fatalf("%v: %s", args, messages)
		}
	}
	if now := r.Git("rev-parse", "HEAD"); now != head || r.Git("status", "--porcelain") != "" {
		t.Errorf("HEAD %s, %q", now, r.Git("status", "--porcelain"))
	}
	for id, status := range map[string]string{"t-1a2b": "pending", "t-2": "done"} {
		want := "git-ralph: error: " + id + " is " + status + " already\ngit-ralph: hint: `git ralph task show ID` shows a task in the plan"
		if _, messages, code := logIn(t, r, "restore", id); code != cmdline.ExitNothing || !strings.HasPrefix(messages, want) {
			t.Errorf("what is there: %d %s", code, messages)
		}
	}
	if _, messages, code := logIn(t, r, "task", "accept", "t-2", "--no-commit"); code != 0 {
		t.Fatal(messages)
	}
	if _, messages, code := logIn(t, r, "restore", "t-2"); code != cmdline.ExitFailed || !strings.Contains(messages, "t-2 is done, not cancelled or lost") {
		t.Errorf("what was accepted: %d %s", code, messages)
	}
}

// What is pending on another branch was not cancelled, and is not brought here.
func TestRestoreOfAnotherBranch(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow)
	r.Git("checkout", "-q", "-b", "feature/x")
	commitPlan(r, specRow, openRow)
	r.Git("checkout", "-q", "main")
	if out, messages, code := logIn(t, r, "restore", "t-1a2b"); code != cmdline.ExitFailed || !strings.Contains(messages, "t-1a2b is pending, not cancelled or lost") {
		t.Errorf("%d %s %s", code, out, messages)
	}
}

// What came up in a plan that is missing, as in a partial clone, is not taken
// for the work of the first commit whose plan is (docs/history.md, "What counts
// as a change").
func TestMissingPlanIsNotAttributed(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("begin", map[string]string{"code": "x"})
	commitPlan(r, specRow, openRow)
	plan := r.Git("rev-parse", "HEAD:"+planFile)
	commitPlan(r, specRow, openRow, strings.Replace(openRow, "t-1a2b", "t-2", 1))
	if err := os.Remove(filepath.Join(r.Dir, ".git", "objects", plan[:2], plan[2:])); err != nil {
		t.Fatal(err)
	}
	h := readLog(t, r, "--all")
	if len(h.Events) != 0 {
		t.Errorf("events: %+v", h.Events)
	}
	for _, task := range h.Tasks {
		if task.Created != nil || task.Author != nil || task.Status != "pending" {
			t.Errorf("%+v", task)
		}
	}
	if len(h.Tasks) != 2 {
		t.Errorf("%d tasks", len(h.Tasks))
	}
}

// Dates are RFC 3339, whatever zone a commit claims (docs/history.md, "JSON").
func TestOddZone(t *testing.T) {
	for zone, want := range map[string]string{"+0530": "2023-11-15T03:43:20+05:30", "-2400": "2023-11-14T22:13:20Z", "+9959": "2023-11-14T22:13:20Z"} {
		r := gittest.NewRepo(t).Setenv("GIT_AUTHOR_DATE", "1700000000 +0000")
		commitPlan(r, specRow, openRow)
		commit := strings.Replace(r.Git("cat-file", "commit", "HEAD"), "1700000000 +0000", "1700000000 "+zone, 1)
		r.Git("reset", "-q", "--hard", r.GitIn(commit, "hash-object", "-t", "commit", "-w", "--stdin", "--literally"))
		if h := readLog(t, r); h.Events[0].Date != want {
			t.Errorf("%s: %s", zone, h.Events[0].Date)
		}
	}
}

// Filters combine; --since takes dates and commits, and nothing else.
func TestLogFilters(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow)
	middle := commitPlan(r, specRow, doneRow, strings.Replace(openRow, "t-1a2b", "t-2", 1))
	commitPlan(r, specRow, strings.Replace(openRow, "t-1a2b", "t-2", 1))
	for args, want := range map[string]int{
		"": 5, "--since " + middle: 1, "--until " + middle: 4, "--since 2001-01-01": 5, "--until 2001-01-01": 0, "--status accepted": 3,
		"--status accepted --until HEAD~2": 1, "--limit 2": 2, "--spec coverage.md": 5, "--spec other.md": 0, "--author A@EXAMPLE": 0,
		"--author AUTHOR@example": 5, "--task t-2": 1, "--branch main": 5,
	} {
		if got := len(readLog(t, r, strings.Fields(args)...).Events); got != want {
			t.Errorf("log %s: %d events, want %d", args, got, want)
		}
	}
	for _, word := range []string{"nonsense", "v1.0", "HEAD~9", "0" + strings.Repeat("f", 39), "?", "2026-13-45", "yesteday"} {
		for _, flag := range []string{"--since", "--until"} {
			if out, messages, code := logIn(t, r, "log", flag, word); code != cmdline.ExitUsage || !strings.HasPrefix(messages, fmt.Sprintf("git-ralph: error: invalid date %q: want", word)) {
				t.Errorf("log %s %s: %d %s %s", flag, word, code, out, messages)
			}
		}
	}
	for _, word := range []string{"now", "yesterday", "2.weeks.ago", "last friday", "@1700000000", "2023-11-14T22:16:00Z", "Nov 14 2023", "10pm"} {
		if _, messages, code := logIn(t, r, "log", "--since", word); code != 0 {
			t.Errorf("log --since %s: %d %s", word, code, messages)
		}
	}
	for args, want := range map[string]bool{"--since 2099-12-31": true, "--until 2099-12-31": false, "--since now": false, "--since HEAD": false} {
		out, messages, code := logIn(t, r, append([]string{"log"}, strings.Fields(args)...)...)
		if warned := strings.Contains(messages, `warning: --since "2099-12-31" is in the future: 2099-12-31 `); code != 0 || warned != want {
			t.Errorf("log %s: %d %s %s", args, code, out, messages)
		}
	}
	for _, args := range []string{"--format xml", "--status great", "--limit -2", "--since=", "--stat --format jsonl", "--json --format text"} {
		if _, _, code := logIn(t, r, append([]string{"log"}, strings.Fields(args)...)...); code != cmdline.ExitUsage {
			t.Errorf("log %s: %d", args, code)
		}
	}
}

// Text of strangers does not steer the terminal.
func TestLogEscapes(t *testing.T) {
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, `{"t": "task", "id": "t-1", "spec": "a", "name": "a\u001b[31mb\u202e", "s": "p"}`)
	for _, args := range [][]string{{"log", "--format", "text"}, {"log", "--oneline"}, {"log", "--stat", "--format", "text"}} {
		if out, _, _ := logIn(t, r, args...); strings.ContainsAny(out, "\x1b\u202e") {
			t.Errorf("%v: %q", args, out)
		}
	}
}
