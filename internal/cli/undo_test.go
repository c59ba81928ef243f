package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// undoRepo has a plan with something for each command to change, and records that nothing understands.
func undoRepo(t *testing.T) *gittest.Repo {
	t.Helper()
	r := gittest.NewRepo(t)
	commitPlan(r, specRow, openRow, `{"t": "thing", "id": "t-1a2b", "n": 1.0}`,
		`{"t": "task", "id": "t-done", "spec": "coverage.md", "name": "Done", "s": "d", "done_at": "abc123abc123", "attempt": "aaaa", "x": 1.0}`,
		`{"t": "task", "id": "t-slow", "spec": "coverage.md", "name": "Slow", "s": "p", "kill": "timeout", "conflict": {"notes": ["a", "b"]}}`,
		`{"t": "task", "id": "t-last", "spec": "coverage.md", "name": "Last", "deps": ["t-slow"], "s": "p"}`,
		`{"t": "issue", "id": "i-1a2b", "spec": "coverage.md", "desc": "Found"}`,
		`{"t": "item", "id": "w-1a2b", "name": "Item", "state": "Backlog"}`,
		`{"t": "item", "id": "w-3c4d", "name": "Reviewed", "state": "Plan in Review"}`,
		`{"t": "task", "id": "t-w-3c4d-plan", "name": "Plan w-3c4d", "s": "d", "done_at": "abc123abc123", "attempt": "bbbb", "meta": {"issue_number": "w-3c4d"}}`,
		`{"t": "task", "id": "t-w-3c4d-review", "name": "Review plan w-3c4d", "deps": ["t-w-3c4d-plan"], "s": "p", "meta": {"issue_number": "w-3c4d", "awaits_approval": true}}`)
	return r
}

// TestUndoOfEachCommand guards: undo of each command that changes the plan gives the plan before it, byte for byte; the history says
// what became of the records, and redo gives the plan after it.
func TestUndoOfEachCommand(t *testing.T) {
	for command, events := range map[string]string{ // events that undo reports, sorted
		"task add New --id t-new":           "cancelled t-new",
		"task edit t-1a2b --notes more":     "edited t-1a2b",
		"task done t-1a2b":                  "reopened t-1a2b",
		"task accept t-done":                "done t-done, reopened t-done",
		"task reject t-done no":             "done t-done",
		"task reject t-done no --supersede": "cancelled t-zzzz, done t-done, reopened t-done",
		"task cancel t-1a2b":                "reopened t-1a2b",
		"task cancel t-slow --cascade":      "killed t-slow, reopened t-last, reopened t-slow",
		"task kill t-1a2b context":          "edited t-1a2b",
		"task decompose t-slow --task Half": "cancelled t-zzzz, edited t-last, killed t-slow, reopened t-slow",
		"issue add Slow":                    "issue-done i-zzzz",
		"issue edit i-1a2b --priority low":  "edited i-1a2b",
		"issue done i-1a2b":                 "issue-added i-1a2b",
		"issue done i-1a2b --into-task":     "cancelled t-zzzz, issue-added i-1a2b",
		"item add New":                      "item-removed w-zzzz",
		"item edit w-1a2b --estimate S":     "edited w-1a2b",
		"item move w-1a2b Done":             "item-moved w-1a2b",
		"pipeline plan w-1a2b":              "cancelled t-w-1a2b-triage",
		"pipeline approve w-3c4d":           "done t-w-3c4d-plan, item-moved w-3c4d, reopened t-w-3c4d-plan, reopened t-w-3c4d-review",
		"pipeline reject w-3c4d no":         "done t-w-3c4d-plan, edited t-w-3c4d-review, item-moved w-3c4d",
		"set-spec other.md":                 "",
		"fmt":                               "edited i-1a2b, edited t-1a2b, edited t-done, edited t-last, edited t-slow, edited t-w-3c4d-plan, edited t-w-3c4d-review, edited w-1a2b, edited w-3c4d",
		"resolve t-slow --take 1":           "edited t-slow",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			r := undoRepo(t)
			read := func() string { return r.ReadFile(planFile) }
			before := read()
			words := strings.Fields(command)
			if i := slices.Index(words, "--supersede"); i >= 0 {
				words = append(words, "Better")
			}
			must(t, r, words)
			after := read()
			if after == before {
				t.Fatal("it changed nothing")
			}
			out, messages, code := logIn(t, r, "undo")
			_, rest, _ := strings.Cut(out, `"commit": "`)
			undone, _, _ := strings.Cut(rest, `"`)
			if code != 0 {
				t.Fatalf("%d %s", code, messages)
			}
			if got := read(); got != before {
				t.Errorf("undone:\n%s\nwant\n%s", got, before)
			}
			var said []string
			for _, e := range readLog(t, r, "--limit", "50").Events {
				if e.Commit == undone && e.ID != nil {
					said = append(said, e.Event+" "+*e.ID)
				}
			}
			slices.Sort(said)
			if got := strings.Join(said, ", "); got != events {
				t.Errorf("events %q, want %q", got, events)
			}
			must(t, r, []string{"redo"})
			if got := read(); got != after {
				t.Errorf("redone:\n%s\nwant\n%s", got, after)
			}
		})
	}
}

// TestUndoOfAmbiguousName guards: a name that is the beginning of several commits' is refused, with the whole names, and one that only one commit
// of the history has is that one, whatever other objects have.
func TestUndoOfAmbiguousName(t *testing.T) {
	r := gittest.NewRepo(t)
	var commits strings.Builder
	for n := range 1500 {
		line := fmt.Sprintf(`{"t": "task", "id": "t-1", "name": "%d", "s": "p"}`+"\n", n)
		fmt.Fprintf(&commits, "commit refs/heads/main\ncommitter A <%s> %d +0000\ndata 1\nm\nM 100644 inline %s\ndata %d\n%s\n", "a@b.c", 1e9+n, planFile, len(line), line)
	}
	r.GitIn(commits.String(), "fast-import", "--quiet")
	r.Git("reset", "--hard", "-q")
	all := strings.Fields(r.Git("rev-list", "HEAD"))
	count := map[string]int{}
	for _, id := range all {
		count[id[:4]]++
	}
	several := all[slices.IndexFunc(all, func(id string) bool { return count[id[:4]] > 1 })]
	if _, messages, code := logIn(t, r, "undo", several[:4]); code != 1 || !strings.Contains(messages, "more than one commit's name") || !strings.Contains(messages, several) {
		t.Errorf("%d %s", code, messages)
	}
	objects := map[string]int{}
	for line := range strings.Lines(r.Git("cat-file", "--batch-all-objects", "--batch-check")) {
		objects[line[:4]]++
	}
	at := slices.IndexFunc(all, func(id string) bool { return count[id[:4]] == 1 && objects[id[:4]] > 1 })
	if _, messages, code := logIn(t, r, "undo", all[at][:4], "--dry-run"); code != 0 {
		t.Errorf("%d %s", code, messages)
	}
}
