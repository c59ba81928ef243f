package merge_test

import (
	"testing"

	"git-ralph/internal/merge"
)

func conflicts(idsAndFields ...string) []merge.Conflict {
	var all []merge.Conflict
	for i := 0; i < len(idsAndFields); i += 2 {
		all = append(all, merge.Conflict{ID: idsAndFields[i], Field: idsAndFields[i+1]})
	}
	return all
}

// dropped is the conflict of a dependency that closes a cycle.
func dropped(id, dep, cycle string) []merge.Conflict {
	return []merge.Conflict{{ID: id, Field: "deps", Dep: dep, Cycle: cycle}}
}

func losers(all ...string) []merge.DiscardedValue {
	var lost []merge.DiscardedValue
	for i := 0; i < len(all); i += 3 {
		lost = append(lost, merge.DiscardedValue{ID: all[i], Field: all[i+1], Value: all[i+2]})
	}
	return lost
}

const (
	pending   = `"s": "p"`
	tombA1    = `{"t": "reject", "id": "t-1", "done_at": "aaaaaaaaaaaa", "reason": "no", "attempt": "a111"}`
	tombOther = `{"t": "reject", "id": "t-1", "done_at": "bbbbbbbbbbbb", "reason": "no", "attempt": "b222"}`
	doneA     = `"s": "d", "done_at": "aaaaaaaaaaaa"`
	doneB     = `"s": "d", "done_at": "bbbbbbbbbbbb"`
	a1        = `, "attempt": "a111"`
	b2        = `, "attempt": "b222"`
)

// TestState: docs/merge.md, "The state of a task".
func TestState(t *testing.T) {
	one := func(members string) string { return task("t-1", members) }
	check(t, []row{
		{
			name: "done beats killed", base: one(pending), x: one(doneA + a1), y: one(pending + `, "kill": "timeout", "kill_log": "1/2.log"`),
			want: one(doneA + a1), losers: losers("t-1", "kill", `"timeout"`, "t-1", "kill_log", `"1/2.log"`),
		},
		{
			name: "rejected beats the attempt that it rejects", base: one(pending), x: one(doneA + a1), y: one(pending+`, "reject": "no"`) + "\n" + tombA1,
			want:   one(pending+`, "reject": "no"`) + "\n" + tombA1,
			losers: losers("t-1", "attempt", `"a111"`, "t-1", "done_at", `"aaaaaaaaaaaa"`, "t-1", "s", `"d"`),
		},
		{
			name: "another attempt stands", base: one(pending), x: one(doneA + a1), y: one(pending+`, "reject": "no"`) + "\n" + tombOther,
			want: one(doneA+a1) + "\n" + tombOther, losers: losers("t-1", "reject", `"no"`),
		},
		{
			name: "without attempt done_at decides, by its beginning",
			base: one(pending), x: one(doneA), y: one(pending+`, "reject": "no"`) + "\n" + `{"t": "reject", "id": "t-1", "done_at": "aaaaaaa", "reason": "no"}`,
			want:   one(pending+`, "reject": "no"`) + "\n" + `{"t": "reject", "id": "t-1", "done_at": "aaaaaaa", "reason": "no"}`,
			losers: losers("t-1", "done_at", `"aaaaaaaaaaaa"`, "t-1", "s", `"d"`),
		},
		{
			name: "two done", base: one(pending), x: one(doneB + b2), y: one(doneA + a1), want: one(doneA + a1),
			losers: losers("t-1", "attempt", `"b222"`, "t-1", "done_at", `"bbbbbbbbbbbb"`),
		},
		{
			name: "two kills", base: one(pending), x: one(pending + `, "kill": "timeout", "kill_log": "1/1.log"`), y: one(pending + `, "kill": "context", "kill_log": "2/1.log"`),
			want: one(pending + `, "kill": "context", "kill_log": "2/1.log"`), losers: losers("t-1", "kill", `"timeout"`, "t-1", "kill_log", `"1/1.log"`),
		},
		{
			name: "two rejections", base: one(doneA + a1),
			x:      one(pending+`, "reject": "slow"`) + "\n" + tombA1,
			y:      one(pending+`, "reject": "no"`) + "\n" + `{"t": "reject", "id": "t-1", "done_at": "aaaaaaaaaaaa", "reason": "slow", "attempt": "a111"}`,
			want:   one(pending+`, "reject": "no"`) + "\n" + tombA1 + "\n" + `{"t": "reject", "id": "t-1", "done_at": "aaaaaaaaaaaa", "reason": "slow", "attempt": "a111"}`,
			losers: losers("t-1", "reject", `"slow"`),
		},
		{
			name: "the same change, once", base: one(pending), x: one(doneA + a1 + `, "x": 1`), y: one(doneA + a1 + `, "z": 2`),
			want: one(doneA + a1 + `, "x": 1, "z": 2`),
		},
		{
			name: "only one side changed it", base: one(pending), x: one(doneA + a1), y: one(pending + `, "role": "test"`),
			want: one(doneA + `, "role": "test"` + a1),
		},
	})
}

// TestRemoved: docs/merge.md, "Removed on one side".
func TestRemoved(t *testing.T) {
	one := func(members string) string { return task("t-1", members) }
	issue := `{"t": "issue", "id": "i-1", "spec": "a.md", "desc": "flaky"}`
	check(t, []row{
		{name: "not touched elsewhere", base: one(doneA) + "\n" + task("t-2", pending), x: task("t-2", pending), y: one(doneA) + "\n" + task("t-2", doneB), want: task("t-2", doneB)},
		{name: "on both sides", base: one(pending) + "\n" + task("t-2", ""), x: task("t-2", `"x": 1`), y: task("t-2", `"y": 1`), want: task("t-2", `"x": 1, "y": 1`)},
		{
			name: "accepted and rejected", base: one(doneA+a1) + "\n" + task("t-2", pending), x: task("t-2", pending),
			y:    one(pending+`, "reject": "no"`) + "\n" + tombA1 + "\n" + task("t-2", pending),
			want: one(pending+`, "reject": "no"`) + "\n" + tombA1 + "\n" + task("t-2", pending),
		},
		{
			name: "accepted and opened again", base: one(doneA + a1), x: "", y: one(pending),
			want: one(pending + `, "conflict": {"removed": true}`), conflicts: conflicts("t-1", "removed"),
		},
		{
			name: "accepted and edited", base: one(doneA + a1), x: "", y: one(doneA + `, "priority": "high"` + a1), want: "",
			losers: losers("t-1", "priority", `"high"`),
		},
		{name: "accepted and stamped", base: one(doneA), x: "", y: one(doneA + `, "created_at": "2026-01-01T00:00:00.000Z"`), want: ""},
		{
			name: "cancelled and done", base: one(pending), x: "", y: one(doneA), want: one(doneA + `, "conflict": {"removed": true}`),
			conflicts: conflicts("t-1", "removed"),
		},
		{
			name: "cancelled and killed", base: one(pending), x: "", y: one(pending + `, "kill": "timeout"`),
			want: one(pending + `, "kill": "timeout", "conflict": {"removed": true}`), conflicts: conflicts("t-1", "removed"),
		},
		{
			name: "issue closed and edited", base: issue, x: "", y: `{"t": "issue", "id": "i-1", "spec": "a.md", "desc": "flaky on CI"}`,
			want:      `{"t": "issue", "id": "i-1", "spec": "a.md", "desc": "flaky on CI", "conflict": {"removed": true}}`,
			conflicts: conflicts("i-1", "removed"),
		},
		{
			name: "recorded before", base: one(pending + `, "conflict": {"removed": true}`), x: "", y: one(doneA + `, "conflict": {"removed": true}`),
			want: one(doneA + `, "conflict": {"removed": true}`),
		},
	})
}
