package board

import (
	"strings"
	"testing"

	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/test/gittest"
)

// rareRepo is a repository whose plan has what is rare: conflicts, an item that waits for approval, a task that was cancelled.
func rareRepo(t testing.TB) *gittest.Repo {
	t.Helper()
	conflict := task("t-1a2b", "Parse", `"priority": "low", "notes": "ours", "conflict": {"priority": ["low", "high"], "notes": ["ours", "theirs"]}`)
	gone := task("t-4g5h", "Gone", "")
	removed := task("t-3e4f", "Removed on one side", `"conflict": {"removed": true}`)
	finished := done(task("t-2c3d", "Print", `"check": ["true"]`), "a1b2")
	item := `{"t": "item", "id": "w-6k7l", "name": "Receipts", "state": "Backlog", "number": 7, "created_at": "2026-11-27T10:00:00.000Z"}`
	issue := `{"t": "issue", "id": "i-8m9n", "spec": "coverage.md", "desc": "It is slow", "created_at": "2026-11-27T10:00:00.000Z"}`
	lines := []string{spec, conflict, finished, removed, item, issue}
	r := newRepo(t, version{"ann@example.com", "ralph: add", 5 * 3600e9, append(lines[:len(lines):len(lines)], gone)}, version{"ann@example.com", "ralph: cancel t-4g5h Gone\n\nRalph: cancelled t-4g5h", 4 * 3600e9, lines})
	r.Git("config", "ralph.warnInstall", "false")
	return r
}

// claimElsewhere has a task claimed in another worktree.
func (u *user) claimElsewhere(id string) {
	u.t.Helper()
	other := u.r.Path("../other")
	u.r.Git("worktree", "add", "-q", other)
	line := inprocess.Line{Words: []string{"claim", id, "--lease=0"}, Kind: inprocess.Change}
	if o := inprocess.New(u.t.Context(), environmentOf(u.r.At(other))).Run(u.t.Context(), line); o.Exit != 0 {
		u.t.Fatal(o)
	}
	u.send(changedMsg{References: true})
}

// TestRareChanges: what a merge left, claims of others, checks, and tasks that have left the plan can be dealt with by keys.
func TestRareChanges(t *testing.T) {
	u := open(t, rareRepo(t), 120, 40)
	press := func(id, text string, keys ...string) {
		t.Helper()
		if id != "" {
			u.run(u.m.jump(id))
		}
		u.press(keys...)
		if text != "" {
			u.enter(text)
			u.press("enter")
		}
		if u.m.over != nil {
			t.Fatalf("%q: the board does not close its prompt:\n%s", keys, u.screen())
		}
	}
	plan := func(texts ...string) {
		t.Helper()
		got := u.r.ReadFile("ralph/plan.jsonl")
		for _, text := range texts {
			if !strings.Contains(got, text) {
				t.Fatalf("the plan has no %s:\n%s\n%s", text, got, u.screen())
			}
		}
	}
	press("t-1a2b", "", "r", "1", "2")
	plan(`"priority": "high"`)
	press("", " and more", "r", "o")
	plan(`"notes": "ours and more"`)
	press("t-3e4f", "", "r", "x")
	if strings.Contains(u.r.ReadFile("ralph/plan.jsonl"), "t-3e4f") {
		t.Error("t-3e4f is still there")
	}
	press("", "", "B", "down", "enter")
	u.shows("Gone", "brought back t-4g5h")
	press("w-6k7l", "", "P")
	u.shows("planned w-6k7l")
	u.press("y")
	u.shows("Failed: Approve its plan · w-6k7l")
	u.press("esc")
	press("i-8m9n", "", "T")
	u.shows("It is slow", "made a task of i-8m9n")
	press("t-2c3d", `{"name": "--force"}`, "R")
	plan(`"name": "{\"name\": \"--force\"}"`)

	u.claimElsewhere("t-1a2b")
	u.run(u.m.jump("t-1a2b"))
	u.press("c")
	u.shows("Failed: Claim · t-1a2b", "takes a task over")
	u.hides("with --force") // which is for another command
	u.press("esc", "s", "y")
	u.shows("Failed: Take over · t-1a2b", "with --force")
	press("", "", "f")
	u.shows("@you", "taken over t-1a2b")
}

// TestVerify: v runs the checks of a task that somebody allowed, and nothing else; Y accepts what they prove.
func TestVerify(t *testing.T) {
	u := open(t, rareRepo(t), 120, 40)
	u.run(u.m.jump("t-2c3d"))
	u.press("v")
	u.shows("Failed: Run its checks · t-2c3d", "true: not allowed: nobody allowed")
	u.press("esc", "Y")
	u.shows("t-2c3d is not accepted: ")
	u.press("esc")
	u.r.Git("config", "ralph.checks.allow", "true")
	u.press("v")
	u.shows("verified t-2c3d")
	u.press("Y")
	u.shows("accepted t-2c3d")
	u.hides("Done 1")
}

// TestUndoOfCommit: in the past u takes back what the commit did that is shown, and B brings back a task of then; what was done since stays.
func TestUndoOfCommit(t *testing.T) {
	u := open(t, rareRepo(t), 120, 40)
	u.run(u.m.jump("t-2c3d"))
	u.press("x")
	u.enter("Later")
	u.press("enter")
	u.press("[")
	u.shows("2 of 3", "cancelled t-4g5h")
	u.press("u", "y")
	u.shows("undone what " + u.m.past.moment().hex[:9])
	u.press("esc")
	u.shows("t-4g5h", "Done 0")
	u.run(u.m.jump("t-4g5h"))
	u.press("X", "y", "[")
	u.run(u.m.jump("t-4g5h"))
	u.press("B", "esc")
	u.shows("Gone", "t-4g5h")
}
