package pipeline_test

import (
	"testing"

	"git-ralph/internal/pipeline"
	"git-ralph/internal/plan"
)

// TestProcessable guards: a lead is kept for the issues of GitHub that somebody can go on with, and for no others.
func TestProcessable(t *testing.T) {
	const item = `{"t": "item", "id": "w-a", "number": 42, "name": "A", "state": "Ready for Plan", "estimate": "S", "created_at": "2026-02-22T10:00:00Z"}` + "\n"
	task := func(id, more string) string {
		return `{"t": "task", "id": "` + id + `", "name": "Plan GH-42", "s": "p", "role": "builder", "meta": {"issue_number": 42, "phase": "plan"}` + more + "}\n"
	}
	withState := func(state string) string {
		return `{"t": "item", "id": "w-a", "number": 42, "name": "A", "state": "` + state + `", "estimate": "S"}` + "\n"
	}
	for _, row := range []struct {
		name, plan string
		want       int
		known      bool
	}{
		{"no items", `{"t": "task", "id": "t-1", "name": "x", "s": "p"}` + "\n", 0, false},
		{"no number", `{"t": "item", "id": "w-a", "name": "A", "state": "Backlog"}` + "\n", 0, false},
		{"not planned", item, 1, true},
		{"without a state", `{"t": "item", "id": "w-a", "number": 42, "name": "A"}` + "\n", 1, true},
		{"a ready task", item + task("t-1", ""), 1, true},
		{"a blocked task", item + task("t-1", `, "deps": ["i-1"]`) + `{"t": "issue", "id": "i-1", "desc": "x"}` + "\n", 0, true},
		{"a blocked task and a ready one", item + task("t-1", `, "deps": ["t-2"]`) + task("t-2", ""), 1, true},
		{"a merge, which is part of landing", withState("In Review") + `{"t": "task", "id": "t-1", "name": "Merge PR for GH-42", "s": "p", "meta": {"issue_number": 42, "phase": "merge"}}` + "\n", 0, true},
		{"a person is needed", withState("Human Needed") + task("t-1", ""), 0, true},
		{"done", withState("Done"), 0, true},
		{"canceled", withState("Canceled"), 0, true},
		{"an epic and its sub-item", item + `{"t": "item", "id": "w-b", "number": 43, "name": "B", "state": "Backlog", "parent": "w-a"}` + "\n", 1, true},
	} {
		p, err := plan.Decode(row.plan)
		if err != nil {
			t.Fatal(row.name, err)
		}
		if n, known := pipeline.Processable(p); n != row.want || known != row.known {
			t.Errorf("%s: %d, %v; want %d, %v", row.name, n, known, row.want, row.known)
		}
	}
}
