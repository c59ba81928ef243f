package merge_test

import (
	"strings"
	"testing"
)

func lines(all ...string) string { return strings.Join(all, "\n") }

// TestDeps: docs/merge.md, "Dependencies".
func TestDeps(t *testing.T) {
	deps := func(id, list string) string { return task(id, `"deps": [`+list+`]`) }
	check(t, []row{
		{
			name: "as sets", base: deps("t-1", `"t-a", "t-b"`), x: deps("t-1", `"t-a", "t-d"`), y: deps("t-1", `"t-a", "t-b", "t-c"`),
			want: deps("t-1", `"t-a", "t-c", "t-d"`),
		},
		{name: "none left", base: deps("t-1", `"t-a", "t-b"`), x: deps("t-1", `"t-a"`), y: deps("t-1", `"t-b"`), want: task("t-1", "")},
		{
			name: "a cycle of two", base: lines(task("t-1", ""), task("t-2", "")), x: lines(deps("t-1", `"t-2"`), task("t-2", "")), y: lines(task("t-1", ""), deps("t-2", `"t-1"`)),
			want: lines(deps("t-1", `"t-2"`), task("t-2", `"conflict": {"deps": [["t-1"], []]}`)), conflicts: dropped("t-2", "t-1", "t-2 -> t-1 -> t-2"),
		},
		{
			name: "a cycle through a task that nobody touched", base: lines(task("t-1", ""), deps("t-2", `"t-3"`), task("t-3", "")),
			x: lines(deps("t-1", `"t-2"`), deps("t-2", `"t-3"`), task("t-3", "")), y: lines(task("t-1", ""), deps("t-2", `"t-3"`), deps("t-3", `"t-1", "t-9"`)),
			want:      lines(deps("t-1", `"t-2"`), deps("t-2", `"t-3"`), task("t-3", `"deps": ["t-9"], "conflict": {"deps": [["t-1", "t-9"], ["t-9"]]}`)),
			conflicts: dropped("t-3", "t-1", "t-3 -> t-1 -> t-2 -> t-3"),
		},
		{
			name: "on a task that was decomposed", base: lines(task("t-1", pending), task("t-5", "")),
			x:    lines(task("t-1", pending), deps("t-5", `"t-1"`)),
			y:    lines(task("t-2", pending+`, "parent": "t-1"`), task("t-3", pending+`, "parent": "t-1"`), task("t-5", "")),
			want: lines(task("t-2", pending+`, "parent": "t-1"`), task("t-3", pending+`, "parent": "t-1"`), deps("t-5", `"t-2", "t-3"`)),
		},
		{
			name: "on one that was decomposed, in a circle", base: lines(task("t-1", pending), task("t-5", "")),
			x:    lines(task("t-1", pending), deps("t-5", `"t-1"`)),
			y:    lines(task("t-2", `"deps": ["t-5"], `+pending+`, "parent": "t-1"`), task("t-5", "")),
			want: lines(task("t-2", `"deps": ["t-5"], `+pending+`, "parent": "t-1"`), task("t-5", `"conflict": {"deps": [["t-2"], []]}`)), conflicts: dropped("t-5", "t-2", "t-5 -> t-2 -> t-5"),
		},
		{
			name: "on a task that the same side decomposed", base: lines(task("t-1", pending), task("t-5", "")),
			x:    lines(task("t-2", pending+`, "parent": "t-1"`), task("t-5", `"deps": ["t-1", "t-9"]`)),
			y:    lines(task("t-1", pending), task("t-5", ""), task("t-6", "")),
			want: lines(task("t-2", pending+`, "parent": "t-1"`), deps("t-5", `"t-1", "t-9"`), task("t-6", "")),
		},
		{
			name: "on a task that the same side decomposed, which the other side added too", base: lines(task("t-1", pending), task("t-5", "")),
			x:    lines(task("t-2", pending+`, "parent": "t-1"`), deps("t-5", `"t-1"`)),
			y:    lines(task("t-1", pending), deps("t-5", `"t-1"`)),
			want: lines(task("t-2", pending+`, "parent": "t-1"`), deps("t-5", `"t-2"`)),
		},
		{
			name: "on a task that both sides decomposed", base: lines(task("t-1", pending), task("t-5", "")),
			x:    lines(task("t-2", pending+`, "parent": "t-1"`), deps("t-5", `"t-1"`)),
			y:    lines(task("t-3", pending+`, "parent": "t-1"`), task("t-5", "")),
			want: lines(task("t-2", pending+`, "parent": "t-1"`), task("t-3", pending+`, "parent": "t-1"`), deps("t-5", `"t-2", "t-3"`)),
		},
		{
			name: "on a task that was superseded", base: lines(task("t-1", pending), task("t-5", "")),
			x:    lines(task("t-1", pending), task("t-5", ""), deps("t-6", `"t-1"`)),
			y:    lines(task("t-2", pending+`, "supersedes": "t-1"`), task("t-5", "")),
			want: lines(task("t-2", pending+`, "supersedes": "t-1"`), task("t-5", ""), deps("t-6", `"t-2"`)),
		},
		{
			name: "on a task that was superseded, of one that the same side removed", base: lines(task("t-1", pending), task("t-5", "")),
			x:    lines(task("t-1", pending), deps("t-5", `"t-1"`)),
			y:    task("t-2", pending+`, "supersedes": "t-1"`),
			want: lines(task("t-2", pending+`, "supersedes": "t-1"`), task("t-5", `"deps": ["t-2"], "conflict": {"removed": true}`)), conflicts: conflicts("t-5", "removed"),
		},
		{
			name: "on a task that one side removed, whose parts were there before, and nobody touched them", base: lines(task("t-1", pending), task("t-2", pending+`, "parent": "t-1"`), task("t-6", "")),
			x:    lines(task("t-1", pending), task("t-2", pending+`, "parent": "t-1"`), deps("t-5", `"t-1"`), task("t-6", "")),
			y:    lines(task("t-2", pending+`, "parent": "t-1"`), task("t-6", "")),
			want: lines(task("t-2", pending+`, "parent": "t-1"`), deps("t-5", `"t-2"`), task("t-6", "")),
		},
		{
			name: "on a task that one side removed, while the other one let a new task supersede it", base: lines(task("t-1", pending), task("t-6", "")),
			x:    lines(task("t-1", pending), task("t-2", pending+`, "supersedes": "t-1"`), deps("t-5", `"t-1"`), task("t-6", "")),
			y:    task("t-6", ""),
			want: lines(task("t-2", pending+`, "supersedes": "t-1"`), deps("t-5", `"t-2"`), task("t-6", "")),
		},
	})
}

// TestSpec: docs/merge.md, "The current spec".
func TestSpec(t *testing.T) {
	spec := func(path string) string { return `{"t": "spec", "spec": "` + path + `"}` }
	of := func(id, path string) string {
		return `{"t": "task", "id": "` + id + `", "spec": "` + path + `", "s": "p"}`
	}
	recorded := `{"t": "spec", "spec": "c.md", "conflict": {"spec": ["b.md", "c.md"]}}`
	chosen := `{"t": "spec", "spec": "a.md", "conflict": {"spec": ["b.md", "c.md"]}}` // by hand
	check(t, []row{
		{name: "one side", base: spec("a.md"), x: lines(spec("b.md"), of("t-1", "b.md")), y: lines(spec("a.md"), of("t-2", "a.md")), want: lines(spec("b.md"), of("t-1", "b.md"), of("t-2", "a.md"))},
		{
			name: "the one that has work", base: spec("a.md"), x: lines(spec("b.md")), y: lines(spec("c.md"), of("t-2", "c.md")),
			want: lines(`{"t": "spec", "spec": "c.md", "conflict": {"spec": ["b.md", "c.md"]}}`, of("t-2", "c.md")), conflicts: conflicts("", "spec"),
		},
		{
			name: "work that nobody touched", base: lines(spec("a.md"), of("t-2", "c.md")), x: lines(spec("b.md"), of("t-2", "c.md")), y: lines(spec("c.md"), of("t-2", "c.md")),
			want: lines(`{"t": "spec", "spec": "c.md", "conflict": {"spec": ["b.md", "c.md"]}}`, of("t-2", "c.md")), conflicts: conflicts("", "spec"),
		},
		{
			name: "both have work", base: "", x: lines(spec("b.md"), of("t-1", "b.md")), y: lines(spec("c.md"), of("t-2", "c.md")),
			want: lines(`{"t": "spec", "spec": "b.md", "conflict": {"spec": ["b.md", "c.md"]}}`, of("t-1", "b.md"), of("t-2", "c.md")), conflicts: conflicts("", "spec"),
		},
		{
			name: "one that is not listed, as the specs in use change", base: lines(recorded, of("t-2", "c.md")), x: recorded, y: lines(chosen, of("t-2", "c.md")),
			want: `{"t": "spec", "spec": "a.md", "conflict": {"spec": ["b.md", "c.md"]}}`,
		},
		{
			name: "the same ones are in use", base: lines(spec("a.md"), of("t-1", "b.md")), x: lines(spec("a.md"), of("t-1", "b.md"), of("t-2", "b.md")),
			y: lines(recorded, of("t-1", "b.md")), want: lines(recorded, of("t-1", "b.md"), of("t-2", "b.md")),
		},
		{
			name: "others are in use", base: lines(spec("a.md"), of("t-1", "b.md")), x: lines(spec("a.md"), of("t-1", "b.md"), of("t-2", "c.md")),
			y: lines(chosen, of("t-1", "b.md")), want: lines(`{"t": "spec", "spec": "b.md", "conflict": {"spec": ["a.md", "b.md", "c.md"]}}`, of("t-1", "b.md"), of("t-2", "c.md")),
		},
		{name: "taken away and changed", base: spec("a.md"), x: "", y: spec("b.md"), want: `{"t": "spec", "spec": "b.md", "conflict": {"removed": true}}`, conflicts: conflicts("", "removed")},
	})
}

// TestWholeLines: docs/merge.md, "Tombstones and unknown records".
func TestWholeLines(t *testing.T) {
	tomb := func(reason string) string {
		return `{"t": "reject", "id": "t-1", "done_at": "aaa", "reason": "` + reason + `"}`
	}
	odd := `{"t": "note", "n": 1.0}`
	born := `"created_at": "2026-01-01T00:00:00.000Z"`
	former := `{"t": "note", "id": "n-2", ` + born + `, "renamed_from": ["n-1", "2026-01-01T00:00:00.000Z"]}`
	check(t, []row{
		{name: "two reasons", base: "", x: tomb("no"), y: tomb("slow"), want: lines(tomb("no"), tomb("slow"))},
		{name: "one reason", base: "", x: lines(tomb("no"), odd), y: tomb("no"), want: lines(odd, tomb("no"))},
		{name: "cleared and added", base: tomb("no"), x: odd, y: lines(tomb("no"), tomb("slow")), want: lines(odd, tomb("slow"))},
		{name: "repeated", base: lines(odd, odd), x: lines(odd, odd, odd), y: odd, want: lines(odd, odd)},
		{name: "removed by both", base: lines(odd, odd, tomb("no")), x: lines(odd, tomb("no")), y: lines(odd, tomb("no"), tomb("slow")), want: lines(odd, tomb("no"), tomb("slow"))},
		{
			name: "of a kind that renamed_from says nothing of", base: `{"t": "note", "id": "n-1", ` + born + `}`, x: former, y: `{"t": "note", "id": "n-1", ` + born + `, "v": 2}`,
			want: lines(`{"t": "note", "id": "n-1", `+born+`, "v": 2}`, former),
		},
		{name: "two spellings", base: "", x: `{"t":"note"}`, y: `{"t": "note"}`, want: lines(`{"t": "note"}`, `{"t":"note"}`)},
	})
}

// TestIDs: docs/merge.md, "Two tasks with one id".
func TestIDs(t *testing.T) {
	made := func(id, name, day, more string) string {
		return `{"t": "task", "id": "` + id + `", "spec": "a.md", "name": "` + name + `"` + more + `, "created_at": "2026-01-0` + day + `T00:00:00.000Z"}`
	}
	from := func(day string) string { return `, "renamed_from": ["t-1", "2026-01-0` + day + `T00:00:00.000Z"]` }
	renamed := func(id, name, day, more, from string) string {
		return strings.TrimSuffix(made(id, name, day, more), "}") + from + "}"
	}
	waits := func(on string) string { return task("t-9", `"deps": ["`+on+`"]`) }
	check(t, []row{
		{
			name: "one task", base: "", x: made("t-1", "fix", "1", `, "x": 1`), y: made("t-1", "fix", "2", ""),
			want:   `{"t": "task", "id": "t-1", "spec": "a.md", "name": "fix", "created_at": "2026-01-01T00:00:00.000Z"` + from("2") + `, "x": 1}`,
			losers: losers("t-1", "created_at", `"2026-01-02T00:00:00.000Z"`),
		},
		{
			name: "two tasks", base: "", x: made("t-1", "build", "1", ""), y: lines(made("t-1", "test", "2", ""), waits("t-1"), `{"t": "reject", "id": "t-1", "done_at": "aaa", "reason": "no"}`),
			want: lines(made("t-1", "build", "1", ""), waits("t-r593"), renamed("t-r593", "test", "2", "", from("2")), `{"t": "reject", "id": "t-r593", "done_at": "aaa", "reason": "no"}`),
		},
		{
			name: "then the side that still calls it so", base: lines(made("t-1", "test", "2", ""), waits("t-1")),
			x:    lines(made("t-1", "build", "1", ""), waits("t-zz"), renamed("t-zz", "test", "2", "", from("2"))),
			y:    lines(made("t-1", "test", "2", `, "s": "d", "done_at": "aaa"`), task("t-9", `"deps": ["t-1"], "x": 1`), task("t-8", `"deps": ["t-1"]`)),
			want: lines(made("t-1", "build", "1", ""), renamed("t-zz", "test", "2", `, "s": "d", "done_at": "aaa"`, from("2")), task("t-9", `"deps": ["t-zz"], "x": 1`), task("t-8", `"deps": ["t-zz"]`)),
		},
		{
			name: "an old id taken again, and the old task changed", base: made("t-1", "build", "1", `, "s": "p"`), x: made("t-1", "test", "2", `, "s": "p"`), y: made("t-1", "build", "1", `, "s": "d", "done_at": "aaa"`),
			want:      lines(renamed("t-1", "build", "1", `, "s": "d", "done_at": "aaa"`, `, "conflict": {"removed": true}`), renamed("t-r593", "test", "2", `, "s": "p"`, from("2"))),
			conflicts: conflicts("t-1", "removed"),
		},
		{
			name: "an old id taken again", base: lines(made("t-1", "build", "1", ""), task("t-2", "")), x: lines(made("t-1", "test", "2", ""), task("t-2", "")), y: lines(made("t-1", "build", "1", ""), task("t-2", `"x": 1`)),
			want: lines(made("t-1", "test", "2", ""), task("t-2", `"x": 1`)),
		},
		{
			name: "legacy", base: "", x: task("t-1", `"name": "build"`), y: lines(task("t-1", `"name": "test"`), task("t-2", `"parent": "t-1"`)),
			want: lines(task("t-1", `"name": "build"`), task("t-2", `"parent": "t-3ajq"`), task("t-3ajq", `"name": "test", "renamed_from": ["t-1", ""]`)),
		},
		{
			name: "legacy, then the side that still calls it so", base: task("t-1", `"name": "test"`), x: lines(task("t-1", `"name": "build"`), task("t-3ajq", `"name": "test", "renamed_from": ["t-1", ""]`)),
			y: task("t-1", `"name": "test it"`), want: lines(task("t-1", `"name": "build"`), task("t-3ajq", `"name": "test it", "renamed_from": ["t-1", ""]`)),
		},
	})
}

// TestOrder: docs/merge.md, "The order of lines".
func TestOrder(t *testing.T) {
	at := func(id string) string { return task(id, `"created_at": "2026-01-01T00:00:00.000Z"`) }
	bare := func(id string) string { return task(id, "") }
	check(t, []row{
		{name: "one side is canonical", base: lines(at("t-5"), at("t-3")), x: lines(at("t-3"), at("t-4"), at("t-5")), y: lines(at("t-5"), at("t-3"), at("t-1")), want: lines(at("t-1"), at("t-3"), at("t-4"), at("t-5"))},
		{name: "ages by place", base: lines(bare("t-5"), bare("t-3")), x: lines(bare("t-3"), at("t-4"), bare("t-5")), y: lines(bare("t-5"), bare("t-3"), at("t-1")), want: lines(bare("t-5"), bare("t-3"), at("t-1"), at("t-4"))},
		{name: "behind what they followed", base: lines(at("t-5"), at("t-3"), at("t-8")), x: lines(at("t-5"), at("t-4"), at("t-3"), at("t-8")), y: lines(at("t-5"), at("t-1"), at("t-3"), at("t-8"), at("t-2")), want: lines(at("t-5"), at("t-1"), at("t-4"), at("t-3"), at("t-8"), at("t-2"))},
		{name: "behind what left", base: lines(at("t-5"), at("t-3")), x: lines(at("t-5"), at("t-3"), at("t-4")), y: lines(at("t-5"), at("t-1")), want: lines(at("t-5"), at("t-1"), at("t-4"))},
		{name: "the same lines", base: lines(at("t-5"), at("t-3")), x: lines(at("t-3"), at("t-5"), at("t-4")), y: lines(at("t-3"), at("t-4"), at("t-5")), want: lines(at("t-3"), at("t-4"), at("t-5"))},
		{name: "line endings and mark", base: bare("t-1"), x: "\ufeff" + lines(bare("t-1"), bare("t-2")), y: bare("t-1") + "\r\n" + bare("t-3") + "\r\n", want: "\ufeff" + bare("t-1") + "\r\n" + bare("t-2") + "\r\n" + bare("t-3") + "\r\n"},
		{name: "empty lines", base: lines(at("t-5"), "", at("t-3")), x: lines(at("t-5"), "", at("t-3"), at("t-1")), y: lines(at("t-5"), "", at("t-3"), "", at("t-2")), want: lines(at("t-5"), "", at("t-3"), "", at("t-1"), at("t-2"))},
		{name: "a last line without an ending", base: "", x: at("t-1"), y: at("t-2") + "\n", want: lines(at("t-1"), at("t-2"))},
	})
}
