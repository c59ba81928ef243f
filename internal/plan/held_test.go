package plan

import (
	"strings"
	"testing"
)

// A task of an item that a person is needed for is not ready, nor one whose work a person is to approve.
func TestTasksOfItemsThatAPersonIsNeededFor(t *testing.T) {
	p, problems := Decode(`{"t": "item", "id": "w-a", "number": 1, "name": "a", "state": "Human Needed"}
{"t": "item", "id": "w-b", "number": 2, "name": "b", "state": "Plan in Review"}
{"t": "task", "id": "t-mine", "name": "mine", "s": "p", "meta": {"issue_number": "GH-1"}}
{"t": "task", "id": "t-none", "name": "no item", "s": "p"}
{"t": "task", "id": "t-w-a-pr", "name": "done", "s": "d", "done_at": "0123456789ab", "meta": {"issue_number": 1}}
{"t": "task", "id": "t-w-b-merge", "name": "other", "s": "p", "deps": ["t-none"], "meta": {"issue_number": 2}}
{"t": "task", "id": "t-w-b-plan", "name": "group", "s": "p", "deps": ["t-none"], "meta": {"issue_number": 2, "group_members": [1, 2]}}
{"t": "task", "id": "t-w-b-research", "name": "of one of the group", "s": "p", "meta": {"issue_number": 2, "group_members": [1, 2], "phase": "research"}}
{"t": "task", "id": "t-w-b-review", "name": "gate", "s": "p", "meta": {"issue_number": 2, "awaits_approval": true}}
`)
	if !problems.Readable() {
		t.Fatal(problems)
	}
	want := map[string]string{"t-mine": "w-a", "t-w-b-merge": "t-none", "t-w-b-plan": "t-none w-a", "t-w-b-review": "w-b"}
	index := p.DepIndex()
	for _, r := range p.Of(KindTask) {
		got := strings.Join(p.BlockedBy(r), " ")
		if got != want[r.ID()] || strings.Join(index.BlockedBy(&r), " ") != got || index.Blocked(&r) != (got != "") {
			t.Errorf("%s waits for %q, want %q", r.ID(), got, want[r.ID()])
		}
	}
}

// Derived tasks keep the ids and times that they are given, and need no spec.
func TestDerivedTasks(t *testing.T) {
	p, _ := Decode(`{"t": "item", "id": "w-a", "name": "a", "created_at": "2026-01-01T00:00:00.000Z"}` + "\n")
	task := `{"id": "t-w-a-plan", "name": "Plan w-a", "created_at": "2026-01-01T00:00:00.000Z"}`
	if _, err := p.AddDerivedTasks(objects(t, task)); err != nil {
		t.Fatal(err)
	}
	r, _ := p.Task("t-w-a-plan")
	if r.JSON() != `{"t": "task", "id": "t-w-a-plan", "name": "Plan w-a", "s": "p", "created_at": "2026-01-01T00:00:00.000Z"}` {
		t.Error(r.JSON())
	}
	for _, invalid := range []string{task, `{"id": "w-b", "name": "b"}`, `{"name": "b"}`} {
		if _, err := p.AddDerivedTasks(objects(t, `{"id": "t-new", "name": "n"}`, invalid)); err == nil || len(p.Of(KindTask)) != 1 {
			t.Errorf("%s: error %v", invalid, err)
		}
	}
}
