package board

import (
	"strings"
	"testing"
	"time"

	"git-ralph/internal/test/gittest"
)

// waitingPlan is a plan with an item whose plan a person is to approve.
func waitingPlan() []version {
	const created = `"created_at": "2026-11-27T10:00:00.000Z"}`
	return []version{{"ann@example.com", "ralph: plan", time.Hour, []string{
		spec, `{"t": "item", "id": "w-6k7l", "name": "Receipts in the language of the customer", "state": "Backlog", "number": 7, ` + created,
		`{"t": "task", "id": "t-w-6k7l-plan", "name": "Plan w-6k7l", "s": "d", "done_at": "0123456789ab", "meta": {"issue_number": "w-6k7l"}, ` + created,
		`{"t": "task", "id": "t-w-6k7l-review", "name": "Review plan w-6k7l", "deps": ["t-w-6k7l-plan"], "s": "p", "meta": {"issue_number": "w-6k7l", "awaits_approval": true}, ` + created,
	}}}
}

// rareScreens are those of conflicts, of claims of others, of what was cancelled, and of what waits for a person.
func rareScreens(t *testing.T) []screen {
	rare, waiting, claimed, tiny := rareRepo(t), newRepo(t, waitingPlan()...), rareRepo(t), tiny()
	open(t, claimed, 80, 24).claimElsewhere("t-1a2b")
	return []screen{
		{"rare", of(rare), keys(), nil},
		{"rare-tiny-conflicts", of(rare), at("t-1a2b", "r"), tiny},
		{"rare-tiny-restore", of(rare), keys("B"), tiny},
		{"conflict", of(rare), at("t-1a2b"), nil},
		{"conflict-fields", of(rare), at("t-1a2b", "r"), nil},
		{"conflict-values", of(rare), at("t-1a2b", "r", "2"), nil},
		{"conflict-other", of(rare), at("t-1a2b", "r", "2", "o"), nil},
		{"conflict-removed", of(rare), at("t-3e4f", "r"), nil},
		{"steal", of(claimed), at("t-1a2b", "s"), nil},
		{"steal-refused", of(claimed), at("t-1a2b", "s", "y"), nil},
		{"steal-tiny-refused", of(claimed), at("t-1a2b", "s", "y"), tiny},
		{"claim-refused", of(claimed), at("t-1a2b", "c"), nil},
		{"restore", of(rare), keys("B"), nil},
		{"verify-refused", of(rare), at("t-2c3d", "v"), nil},
		{"accept-verified-refused", of(rare), at("t-2c3d", "Y"), nil},
		{"supersede", of(rare), all(at("t-2c3d"), typed("R", "Print it as JSON", "alt+enter", "T", "o", "o", " ", "w", "i", "d", "e")), nil},
		{"supersede-refused", of(rare), all(at("t-1a2b"), typed("R", "Parse faster", "enter")), nil},
		{"waits", of(waiting), at("t-w-6k7l-review"), nil},
		{"waits-item", of(waiting), at("w-6k7l"), nil},
		{"disapprove", of(waiting), all(at("w-6k7l"), typed("x", "It does not say how customers choose their language")), nil},
		{"disapprove-refused", of(rare), all(at("w-6k7l"), typed("x", "No", "enter")), nil},
		{"approve-refused", of(rare), at("w-6k7l", "y"), nil},
	}
}

// changedScreens are those after a change: each picture is of a repository of its own.
func changedScreens(t *testing.T) []screen {
	small := func() *gittest.Repo {
		r := smallRepo(t)
		r.Git("config", "ralph.warnInstall", "false")
		return r
	}
	rare := func() *gittest.Repo { return rareRepo(t) }
	waiting := func() *gittest.Repo { return newRepo(t, waitingPlan()...) }
	allowed := func() *gittest.Repo {
		r := rareRepo(t)
		r.Git("config", "ralph.checks.allow", "true")
		return r
	}
	stolen := func(u *user) {
		u.claimElsewhere("t-1a2b")
		at("t-1a2b", "s", "y", "f")(u)
	}
	broken := func(u *user) {
		u.r.WriteFile("ralph/plan.jsonl", strings.Replace(u.r.ReadFile("ralph/plan.jsonl"), `"t": "task"`, `"t" "task"`, 1))
		u.press("d")
	}
	twice := func(u *user) {
		u.r.WriteFile("ralph/plan.jsonl", u.r.ReadFile("ralph/plan.jsonl")+task("t-1a2b", "The same id", "")+"\n")
		u.press("ctrl+r")
	}
	return []screen{
		{"into-task", small, at("i-9o0p", "T"), nil},
		{"done-result", small, keys("d"), nil},
		{"added", small, typed("a", "A new task", "enter"), nil},
		{"undone-others", small, keys("u"), nil},
		{"undone", small, keys("d", "u"), nil},
		{"redone", small, keys("d", "u", "U"), nil},
		{"undone-past", small, keys("[", "[", "[", "u", "y"), nil},
		{"undo-later-changes", small, keys("[", "[", "[", "[", "u", "y"), nil},
		{"claimed", small, keys("c"), nil},
		{"rejected", small, all(at("t-0s1t"), typed("x", "It is too short", "enter")), nil},
		{"superseded", small, all(at("t-0s1t"), typed("R", "Write the manual page again", "enter")), nil},
		{"accepted", small, at("t-0s1t", "y"), nil},
		{"cancelled", small, at("t-5i6j", "X", "y"), nil},
		{"cancelled-shown", small, all(at("t-5i6j", "X", "y"), keys("B")), nil},
		{"decomposed", small, typed("D", "Read the mode line", "alt+enter", "B", "enter"), nil},
		{"prioritised", small, keys("p", "m"), nil},
		{"killed", small, keys("K", "t"), nil},
		{"stolen-unclaimed", small, keys("s", "y"), nil},
		{"edited", small, all(at("t-5i6j", "f", "o"), typed("n", "ew notes", "enter")), nil},
		{"moved", small, at("w-3g4h", "d", "b"), nil},
		{"closed", small, at("i-9o0p", "d"), nil},
		{"spec-set", small, typed("S", ".txt", "enter"), nil},
		{"stolen", rare, stolen, nil},
		{"restored", rare, keys("B", "enter"), nil},
		{"settled", rare, at("t-1a2b", "r", "1", "2"), nil},
		{"planned", rare, at("w-6k7l", "P"), nil},
		{"approved", waiting, at("w-6k7l", "y"), nil},
		{"verified", allowed, at("t-2c3d", "v"), nil},
		{"accepted-verified", allowed, at("t-2c3d", "Y"), nil},
		{"broken", small, broken, nil},
		{"broken-closed", small, all(broken, keys("esc")), nil},
		{"twice", small, twice, nil},
		{"twice-warnings", small, all(twice, keys("w")), nil},
	}
}
