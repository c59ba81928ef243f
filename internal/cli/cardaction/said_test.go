package cardaction_test

import (
	"testing"

	"git-ralph/internal/cli/cardaction"
	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/jsonl"
)

// TestSaid: what board and page say of an action names what it was done to, what it made or took back, and the commit.
func TestSaid(t *testing.T) {
	const commit = `{"committed": true, "commit": "286fbe5c58bed11c28175882088340ce190ca678", "reason": null, `
	for _, c := range []struct {
		action string
		values cardaction.Values
		output string
		want   string
	}{
		{"item-plan", cardaction.Values{ID: "w-1"}, commit + `"changed": [` + "\n" + `{"t": "task", "id": "t-2"}, {"t": "task", "id": "t-3"}]}`, "planned w-1: t-2, t-3 · 286fbe5c5"},
		{"item-plan", cardaction.Values{ID: "w-1"}, `{"committed": false, "commit": null, "reason": "nothing changed", "changed": []}`, "nothing changed"},
		{"issue-task", cardaction.Values{ID: "i-1"}, commit + `"changed": [{"id": "t-2"}], "removed": [{"id": "i-1"}]}`, "made a task of i-1: t-2 · 286fbe5c5"},
		{"task-add", cardaction.Values{}, commit + `"changed": [{"id": "t-2"}]}`, "added t-2 · 286fbe5c5"},
		{"task-done", cardaction.Values{ID: "t-1"}, commit + `"changed": [{"id": "t-1"}]}`, "done t-1 · 286fbe5c5"},
		{"task-decompose", cardaction.Values{ID: "t-1"}, commit + `"changed": [{"id": "t-2"}, {"id": "t-3"}, {"id": "t-4"}, {"id": "t-5"}]}`, "decomposed t-1: t-2, t-3, t-4, … · 286fbe5c5"},
		{"task-priority", cardaction.Values{ID: "t-1"}, commit + `"changed": [{"id": "t-1"}]}`, "priority of t-1: none · 286fbe5c5"},
		{"task-edit", cardaction.Values{ID: "t-1", Fields: []jsonl.Member{{Name: "notes", Value: "null"}}}, `{"commit": null, "reason": "hooks refused"}`, "notes of t-1 set · not committed: hooks refused"},
		{"resolve", cardaction.Values{ID: "t-1", Settle: cardaction.Settling{Field: "removed", Keep: true}}, commit + `"changed": []}`, "kept t-1 · 286fbe5c5"},
		{"undo", cardaction.Values{}, commit + `"undone": {"commit": "aa", "title": "add t-2 Two"}, "changed": []}`, "undone: add t-2 Two · 286fbe5c5"},
		{"undo", cardaction.Values{Commit: "0123456789ab"}, commit + `"undone": {"commit": "aa", "title": "add t-2 Two"}}`, "undone what 012345678 did · 286fbe5c5"},
		{"claim", cardaction.Values{ID: "t-1"}, `{"claimed": [{"id": "t-1"}], "refused": []}`, "claimed t-1"},
	} {
		a, found := cardaction.Find(c.action)
		if !found {
			t.Fatalf("no action %s", c.action)
		}
		if got := a.Said(c.values, inprocess.Outcome{Output: c.output}); got != c.want {
			t.Errorf("%s: %q, want %q", c.action, got, c.want)
		}
	}
	a, _ := cardaction.Find("claim")
	if got := a.Said(cardaction.Values{ID: "t-1"}, inprocess.Outcome{Messages: map[string][]string{"warning": {"one", "two"}}}); got != "claimed t-1 · one · two" {
		t.Errorf("with warnings: %q", got)
	}
}
