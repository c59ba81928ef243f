package merge_test

import "testing"

// TestFields: docs/merge.md, "Fields".
func TestFields(t *testing.T) {
	one := func(members string) string { return task("t-1", members) }
	legacy := `{"t": "task", "id": "t-1", "spec": "a.md", `
	check(t, []row{
		{name: "different fields", base: one(pending), x: one(pending + `, "role": "dev"`), y: one(`"notes": "n", ` + pending), want: one(`"notes": "n", ` + pending + `, "role": "dev"`)},
		{name: "the same change, once", base: one(pending), x: one(`"notes": "n", "x": 1`), y: one(`"notes": "n", "y": 1`), want: one(`"notes": "n", "x": 1, "y": 1`)},
		{name: "a field taken away", base: one(`"notes": "n", ` + pending), x: one(pending), y: one(`"notes": "n", ` + pending + `, "role": "dev"`), want: one(pending + `, "role": "dev"`)},
		{name: "priority", base: one(`"priority": "low"`), x: one(`"priority": "high"`), y: one(`"priority": "medium"`), want: one(`"priority": "high"`), losers: losers("t-1", "priority", `"medium"`)},
		{name: "no priority", base: one(`"priority": "high"`), x: one(""), y: one(`"priority": "low"`), want: one(`"priority": "low"`), losers: losers("t-1", "priority", "null")},
		{
			name: "unknown priorities", base: one(""), x: one(`"priority": "soon"`), y: one(`"priority": "urgent"`),
			want: one(`"priority": "urgent", "conflict": {"priority": ["soon", "urgent"]}`), conflicts: conflicts("t-1", "priority"),
		},
		{name: "created_at of one side", base: one(pending), x: one(`"created_at": "2026-01-01T00:00:00.000Z"`), y: one(pending + `, "x": 1`), want: one(`"created_at": "2026-01-01T00:00:00.000Z", "x": 1`)},
		{
			name: "created_at of both", base: one(pending), x: one(pending + `, "created_at": "2026-01-01T00:00:00.000Z"`), y: one(pending + `, "created_at": "2026-01-02T00:00:00.000Z"`),
			want:   one(pending + `, "created_at": "2026-01-01T00:00:00.000Z", "renamed_from": ["t-1", "2026-01-02T00:00:00.000Z"]`),
			losers: losers("t-1", "created_at", `"2026-01-02T00:00:00.000Z"`),
		},
		{
			name: "prose, edits apart", base: one(`"notes": "parse the file, then report errors"`), x: one(`"notes": "parse the whole file, then report errors"`), y: one(`"notes": "parse the file, then report all errors"`),
			want: one(`"notes": "parse the whole file, then report all errors"`),
		},
		{
			name: "prose, edits that overlap", base: one(`"accept": "under 100 ms"`), x: one(`"accept": "under 200 ms"`), y: one(`"accept": "under 1000 ms"`),
			want: one(`"accept": "under 1000 ms", "conflict": {"accept": ["under 1000 ms", "under 200 ms"]}`), conflicts: conflicts("t-1", "accept"),
		},
		{
			name: "prose, taken away and edited", base: one(`"notes": "n"`), x: one(""), y: one(`"notes": "n n"`),
			want: one(`"notes": "n n", "conflict": {"notes": ["n n", null]}`), conflicts: conflicts("t-1", "notes"),
		},
		{
			name: "objects", base: one(`"meta": {"a": 1, "b": {"c": 1.0}}`), x: one(`"meta": {"a": 1, "b": {"c": 1.0, "d": 2}}`), y: one(`"meta": {"b": {"c": 1.00}, "e": null}`),
			want: one(`"meta": {"b": {"c": 1.00, "d": 2}, "e": null}`),
		},
		{
			name: "objects that differ in a member", base: one(`"meta": {"a": 1}`), x: one(`"meta": {"a": 2, "x": 0}`), y: one(`"meta": {"a": 33}`),
			want: one(`"meta": {"a": 33, "x": 0}, "conflict": {"meta": [{"a": 2, "x": 0}, {"a": 33, "x": 0}]}`), conflicts: conflicts("t-1", "meta"),
		},
		{
			name: "unknown fields", base: one(`"x": 1`), x: one(`"x": 1.0`), y: one(`"x": [1]`),
			want: one(`"conflict": {"x": [1.0, [1]]}, "x": [1]`), conflicts: conflicts("t-1", "x"),
		},
		{name: "null is no value in a known field", base: one(`"notes": "n"`), x: one(`"notes": null`), y: one(`"x": 1`), want: one(`"x": 1`)},
		{name: "desc and name", base: legacy + `"desc": "fix it"}`, x: legacy + `"desc": "fix it", "s": "d"}`, y: legacy + `"name": "fix it now"}`, want: legacy + `"name": "fix it now", "s": "d"}`},
		{name: "desc on both sides", base: legacy + `"desc": "fix the bug"}`, x: legacy + `"desc": "fix the old bug"}`, y: legacy + `"s": "p", "desc": "fix the bug"}`, want: legacy + `"s": "p", "desc": "fix the old bug"}`},
		{
			name: "order of members", base: `{"z": 1, "id": "t-1", "t": "task"}`, x: `{"z": 1, "id": "t-1", "t": "task", "y": 1, "s": "p"}`, y: `{"z": 1, "a\u0062": 2, "id": "t-1", "t": "task"}`,
			want: `{"t": "task", "id": "t-1", "s": "p", "a\u0062": 2, "y": 1, "z": 1}`,
		},
		{name: "spelling is no change", base: one(`"x": "\u0041", "y": 1`), x: one(`"x": "A", "y": 1`), y: one(`"x": "\u0041", "y": 2`), want: one(`"x": "A", "y": 2`)},
		{
			name: "labels", base: `{"t": "issue", "id": "i-1", "labels": ["a"]}`, x: `{"t": "issue", "id": "i-1", "labels": ["a", "b"]}`, y: `{"t": "issue", "id": "i-1"}`,
			want: `{"t": "issue", "id": "i-1", "labels": ["b"]}`,
		},
	})
}

// TestRecorded: docs/merge.md, "Conflicts that are recorded already".
func TestRecorded(t *testing.T) {
	one := func(members string) string { return task("t-1", members) }
	open := `"notes": "bb", "conflict": {"notes": ["a", "bb"]}`
	check(t, []row{
		{name: "settled by one side", base: one(open), x: one(`"notes": "a"`), y: one(open + `, "x": 1`), want: one(`"notes": "a", "x": 1`)},
		{
			name: "settled, and a newer candidate", base: one(open), x: one(`"notes": "a"`), y: one(`"notes": "ccc", "conflict": {"notes": ["a", "bb", "ccc"]}`),
			want: one(`"notes": "a", "conflict": {"notes": ["a", "ccc"]}`), conflicts: nil,
		},
		{
			name: "settled in two ways", base: one(open), x: one(`"notes": "a"`), y: one(`"notes": "dd"`),
			want: one(`"notes": "dd", "conflict": {"notes": ["a", "dd"]}`), conflicts: conflicts("t-1", "notes"),
		},
		{name: "settled alike", base: one(open), x: one(`"notes": "a"`), y: one(`"notes": "a", "x": 1`), want: one(`"notes": "a", "x": 1`)},
		{
			name: "candidates of both", base: one(open), x: one(`"notes": "ccc", "conflict": {"notes": ["a", "bb", "ccc"]}`), y: one(`"notes": "dddd", "conflict": {"notes": ["a", "bb", "dddd"]}`),
			want: one(`"notes": "dddd", "conflict": {"notes": ["a", "bb", "ccc", "dddd"]}`),
		},
		{
			name: "priorities settled in two ways", base: one(`"priority": "asap", "conflict": {"priority": ["asap", "now"]}`), x: one(`"priority": "low"`), y: one(`"priority": "high"`),
			want: one(`"priority": "high"`), losers: losers("t-1", "priority", `"low"`),
		},
		{name: "a removal that was settled", base: one(`"conflict": {"removed": true}`), x: one(""), y: one(`"x": 1, "conflict": {"removed": true}`), want: one(`"x": 1`)},
		{
			name: "another field", base: one(open), x: one(open + `, "x": 1`), y: one(`"name": "n", "notes": "a"`), want: one(`"name": "n", "notes": "a", "x": 1`),
		},
	})
}
