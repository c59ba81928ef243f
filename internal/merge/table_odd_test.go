package merge_test

import (
	"testing"

	"git-ralph/internal/merge"
)

// TestOddConflicts: what "conflict" holds is data. A candidate that a field cannot
// hold is never shown, what is none of a field stays what it is, and none of it goes.
func TestOddConflicts(t *testing.T) {
	one := func(members string) string { return task("t-1", members) }
	deps := func(id, deps string) string { return task(id, `"deps": [`+deps+`]`) }
	check(t, []row{
		{
			name: "named as the field itself", base: one(`"conflict": {"conflict": [1, 2]}`),
			x: one(`"role": "dev", "conflict": {"conflict": [1, 2]}`), y: one(`"notes": "n", "conflict": {"conflict": [1, 2]}`),
			want: one(`"notes": "n", "role": "dev", "conflict": {"conflict": [1, 2]}`),
		},
		{
			name: "named as what the record is", base: one(`"conflict": {"id": ["t-2", 3], "t": "issue"}`),
			x: one(`"role": "dev", "conflict": {"id": ["t-2", 3, "t-99999"], "t": "issue"}`), y: one(`"notes": "n", "conflict": {"t": "issue"}`),
			want: one(`"notes": "n", "role": "dev", "conflict": {"id": ["t-99999"], "t": ["issue"]}`),
		},
		{
			name: "of another type", base: one(`"notes": "n", "conflict": {"notes": [12345678]}`),
			x: one(`"notes": "x y", "conflict": {"notes": [12345678]}`), y: one(`"notes": "n", "meta": {"a": 1}, "conflict": {"notes": [12345678], "meta": ["text"]}`),
			want: one(`"notes": "x y", "meta": {"a": 1}, "conflict": {"meta": ["text"], "notes": [12345678]}`),
		},
		{
			name: "of another type, and both changed the field", base: one(`"notes": "a b c", "conflict": {"notes": [12345678]}`),
			x: one(`"notes": "x", "conflict": {"notes": [12345678]}`), y: one(`"notes": "y", "conflict": {"notes": [12345678, {}]}`),
			want: one(`"notes": "y", "conflict": {"notes": ["x", "y", 12345678, {}]}`), conflicts: conflicts("t-1", "notes"),
		},
		{
			name: "dependencies that are none", base: one(`"conflict": {"deps": [1, 2]}`),
			x: one(`"deps": ["t-2"], "conflict": {"deps": [1, 2]}`), y: one(`"deps": ["t-3"], "conflict": {"deps": [1, 2]}`),
			want: one(`"deps": ["t-2", "t-3"], "conflict": {"deps": [1, 2]}`),
		},
		{
			name: "dependencies of which some are none, and another task that waits", base: one(""),
			x: lines(one(""), deps("t-7", `"t-1"`)), y: one(`"conflict": {"deps": [["t-2"], ["t-3"], 3]}`),
			want: lines(one(`"conflict": {"deps": [["t-2"], ["t-3"], 3]}`), deps("t-7", `"t-1"`)),
		},
		{
			name: "dependencies of which some are none, and a dependency of the other side", base: one(""),
			x: one(`"deps": ["t-9"]`), y: one(`"conflict": {"deps": [["t-2"], ["t-3"], 3]}`),
			want: one(`"deps": ["t-2", "t-3", "t-9"], "conflict": {"deps": [3]}`),
		},
		{
			name: "the value that the field has, and another one", base: one(`"x": "a"`),
			x: one(`"x": "a", "conflict": {"x": "a"}`), y: one(`"x": 1.0`),
			want: one(`"x": 1.0`),
		},
		{
			name: "dependencies that are none, and a cycle", base: lines(task("t-1", ""), task("t-2", `"conflict": {"deps": 5}`)),
			x: lines(deps("t-1", `"t-2"`), task("t-2", `"conflict": {"deps": 5}`)), y: lines(task("t-1", ""), task("t-2", `"deps": ["t-1"], "conflict": {"deps": 5}`)),
			want: lines(deps("t-1", `"t-2"`), task("t-2", `"conflict": {"deps": [5, ["t-1"], []]}`)), conflicts: dropped("t-2", "t-1", "t-2 -> t-1 -> t-2"),
		},
		{
			name: "a cycle whose last dependency is of a task that neither side changed", base: lines(task("t-1", ""), task("t-2", ""), deps("t-3", `"t-1"`)),
			x: lines(task("t-1", ""), deps("t-2", `"t-3"`), deps("t-3", `"t-1"`)), y: lines(deps("t-1", `"t-2"`), task("t-2", ""), deps("t-3", `"t-1"`)),
			want:      lines(deps("t-1", `"t-2"`), deps("t-2", `"t-3"`), task("t-3", `"conflict": {"deps": [["t-1"], []]}`)),
			conflicts: dropped("t-3", "t-1", "t-3 -> t-1 -> t-2 -> t-3"),
		},
		{
			name: "of a field that nobody changed", base: one(`"conflict": {"": ["x", 3]}`),
			x: one(`"notes": "n", "conflict": {"": ["x", 3]}`), y: one(`"role": "dev", "conflict": {"": ["x", 3]}`),
			want: one(`"notes": "n", "role": "dev", "conflict": {"": ["x", 3, null]}`),
		},
		{
			name: "no dependencies, and another task left", base: lines(one(`"conflict": {"deps": null}`), task("t-2", "")),
			x: lines(one(`"conflict": {"deps": null}, "role": "dev"`), task("t-2", "")), y: one(`"conflict": {"deps": null}`),
			want: one(`"conflict": {"deps": null}, "role": "dev"`),
		},
		{
			name: "a time of creation", base: one(`"conflict": {"created_at": ["x"]}`),
			x: one(`"created_at": "2", "conflict": {"created_at": ["x"]}`), y: one(`"created_at": "2", "role": "r", "conflict": {"created_at": ["x", 7]}`),
			want: one(`"created_at": "2", "role": "r", "conflict": {"created_at": ["x", 7]}`),
		},
		{
			name: "half a character", base: deps("t-1", `"\ud800"`), x: deps("t-1", `"\ud800", "\udc00", "t-2"`), y: deps("t-1", `"\ud800", "t-3", "\ud801"`),
			want: deps("t-1", `"t-2", "t-3", "\ud800", "\ud801", "\udc00"`),
		},
		{
			name: "a field called removed", base: one(`"removed": 1`), x: one(`"removed": 2`), y: one(`"removed": 3`),
			want: one(`"removed": 3`), losers: losers("t-1", "removed", "2"),
		},
		{
			name: "labels", base: one(`"labels": ["a", "b"]`), x: one(`"labels": ["b", "c"]`), y: one(`"labels": ["a", "b", "d"]`),
			want: one(`"labels": ["b", "c", "d"]`),
		},
		{
			name: "a sentence moved, and edited", base: one(`"notes": "One is here. Two is there. Three is far."`),
			x: one(`"notes": "Two is there. Three is far. One is here."`), y: one(`"notes": "One was here. Two is there. Three is far."`),
			want:      one(`"notes": "One was here. Two is there. Three is far.", "conflict": {"notes": ["One was here. Two is there. Three is far.", "Two is there. Three is far. One is here."]}`),
			conflicts: conflicts("t-1", "notes"),
		},
	})
}

// TestDroppedEdgeIsNamed: the message says which edge would close which cycle, and
// never that both sides changed what nobody did.
func TestDroppedEdgeIsNamed(t *testing.T) {
	c := merge.Conflict{ID: "t-3", Field: "deps", Dep: "t-1", Cycle: "t-3 -> t-1 -> t-3"}
	if got, want := c.String(), "conflict in t-3: waiting for t-1 would close a cycle, t-3 -> t-1 -> t-3; the dependency is left out, and recorded"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
