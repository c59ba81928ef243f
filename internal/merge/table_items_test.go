package merge_test

import (
	"testing"

	"git-ralph/internal/merge"
	"git-ralph/internal/sha256"
)

// hash is what the record of an agreement with an issue has of a description.
func hash(text string) string { return sha256.Hex(text)[:32] }

// TestItems: docs/merge.md, "Items".
func TestItems(t *testing.T) {
	item := func(id, members string) string {
		return `{"t": "item", "id": "` + id + `", "name": "n", ` + members + `}`
	}
	one := func(members string) string { return item("w-1", members) }
	task := func(meta string) string {
		return `{"t": "task", "id": "t-1", "name": "n", "s": "p", "meta": {"issue_number": 1, ` + meta + `}}`
	}
	state := func(s string) string { return one(`"state": "` + s + `"`) }
	check(t, []row{
		{name: "the state further along", base: state("Backlog"), x: state("Ready for Plan"), y: state("In Review"), want: state("In Review"), losers: losers("w-1", "state", `"Ready for Plan"`)},
		{name: "a person is needed", base: state("In Progress"), x: state("Human Needed"), y: state("Done"), want: state("Human Needed"), losers: losers("w-1", "state", `"Done"`)},
		{name: "Done is further than any but Canceled", base: state("In Progress"), x: state("Done"), y: state("In Review"), want: state("Done"), losers: losers("w-1", "state", `"In Review"`)},
		{name: "Done and Canceled", base: state("Backlog"), x: state("Canceled"), y: state("Done"), want: state("Canceled"), losers: losers("w-1", "state", `"Done"`)},
		{name: "a state we know", base: state("Backlog"), x: state("Someday"), y: state("Research Needed"), want: state("Research Needed"), losers: losers("w-1", "state", `"Someday"`)},
		{name: "moved back by one side only", base: state("Plan in Review"), x: state("Ready for Plan"), y: one(`"state": "Plan in Review", "x": 1`), want: one(`"state": "Ready for Plan", "x": 1`)},
		{name: "blocked_by", base: one(`"blocked_by": ["w-2"]`), x: one(`"blocked_by": ["w-2", "w-4"]`), y: one(`"blocked_by": ["w-3"]`), want: one(`"blocked_by": ["w-3", "w-4"]`)},
		{
			name: "a cycle that both sides close", base: one(`"x": 1`) + "\n" + item("w-2", `"x": 1`),
			x: one(`"blocked_by": ["w-2"], "x": 1`) + "\n" + item("w-2", `"x": 1`), y: one(`"x": 1`) + "\n" + item("w-2", `"blocked_by": ["w-1"], "x": 1`),
			want: one(`"blocked_by": ["w-2"], "x": 1`) + "\n" + item("w-2", `"conflict": {"blocked_by": [["w-1"], []]}, "x": 1`), conflicts: []merge.Conflict{{ID: "w-2", Field: "blocked_by", Dep: "w-1", Cycle: "w-2 -> w-1 -> w-2"}},
		},
		{name: "files", base: one(`"files": ["a.go"]`), x: one(`"files": ["a.go", "c.go"]`), y: one(`"files": ["b.go"]`), want: one(`"files": ["b.go", "c.go"]`)},
		{name: "no files on one side", base: one(`"files": ["a.go"]`), x: one(`"x": 1`), y: one(`"files": ["a.go", "b.go"]`), want: one(`"files": ["b.go"], "x": 1`)},
		{name: "labels", base: one(`"labels": ["a"]`), x: one(`"x": 1`), y: one(`"labels": ["a", "b"]`), want: one(`"labels": ["b"], "x": 1`)},
		{name: "artifacts", base: one(`"x": 1`), x: one(`"artifacts": {"research": "r.md"}, "x": 1`), y: one(`"artifacts": {"plan": "p.md"}, "x": 1`), want: one(`"artifacts": {"plan": "p.md", "research": "r.md"}, "x": 1`)},
		{name: "two numbers", base: one(`"x": 1`), x: one(`"number": 1, "x": 1`), y: one(`"number": 20, "x": 1`), want: `{"t": "item", "id": "w-1", "number": 20, "name": "n", "conflict": {"number": [1, 20]}, "x": 1}`, conflicts: conflicts("w-1", "number")},
		{
			name: "the items that a task is for, and what was written", base: task(`"group_members": [1, 2], "k": 1`), x: task(`"group_members": [1, 2, "w-a"], "artifacts": ["r.md"], "k": 1`),
			y: task(`"group_members": [2], "artifacts": ["p.md"], "k": 1`), want: `{"t": "task", "id": "t-1", "name": "n", "s": "p", "meta": {"artifacts": ["p.md", "r.md"], "group_members": ["w-a", 2], "issue_number": 1, "k": 1}}`,
		},
		{
			name: "members that are no list", base: task(`"k": 1`), x: task(`"group_members": [1], "k": 1`), y: task(`"group_members": 2, "k": 1`),
			want:      `{"t": "task", "id": "t-1", "name": "n", "s": "p", "meta": {"group_members": [1], "issue_number": 1, "k": 1}, "conflict": {"meta": [{"group_members": 2, "issue_number": 1, "k": 1}, {"group_members": [1], "issue_number": 1, "k": 1}]}}`,
			conflicts: conflicts("t-1", "meta"),
		},
		{
			name: "two versions of an issue, the newer one goes on from the older one", base: one(`"x": 1`),
			x:    item("w-1", `"desc": "first", "state": "In Review", "meta": {"github": {"at": "2026-01-01T00:00:01Z", "name": "n", "desc": "`+hash("first")+`", "state": "In Review"}}`),
			y:    item("w-1", `"desc": "another", "state": "In Progress", "meta": {"github": {"at": "2026-01-01T00:00:02Z", "name": "n", "desc": "`+hash("another")+`", "state": "In Progress"}}`),
			want: item("w-1", `"desc": "another", "state": "In Progress", "meta": {"github": {"at": "2026-01-01T00:00:02Z", "name": "n", "desc": "`+hash("another")+`", "state": "In Progress"}}`),
		},
		{
			name: "an older version of an issue, and a change of one's own", base: one(`"x": 1`),
			x:    item("w-1", `"desc": "mine", "meta": {"github": {"at": "2026-01-01T00:00:01Z", "name": "n", "desc": "`+hash("first")+`"}}`),
			y:    item("w-1", `"desc": "another", "meta": {"github": {"at": "2026-01-01T00:00:02Z", "name": "n", "desc": "`+hash("another")+`"}}`),
			want: item("w-1", `"desc": "another", "meta": {"github": {"at": "2026-01-01T00:00:02Z", "name": "n", "desc": "`+hash("another")+`"}}, "conflict": {"desc": ["another", "mine"]}`), conflicts: conflicts("w-1", "desc"),
		},
		{name: "removed and moved", base: state("Backlog"), x: "", y: state("Done"), want: one(`"state": "Done", "conflict": {"removed": true}`), conflicts: conflicts("w-1", "removed")},
	})
}
