package plandiff_test

import (
	"fmt"
	"strings"
	"testing"

	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"

	"pgregory.net/rapid"
)

// decode reads a plan from lines that must be readable.
func decode(t rapid.TB, lines ...string) *plan.Plan {
	t.Helper()
	p, problems := plan.Decode(strings.Join(lines, "\n") + "\n")
	if !problems.Readable() {
		t.Fatalf("the test's own plan is bad: %v", problems)
	}
	return p
}

// summary writes a diff in a few words a line.
func summary(d plandiff.Diff) string {
	var b strings.Builder
	for _, r := range d.Records {
		fmt.Fprintf(&b, "%s %s %s\n", r.Change, r.Shown().Kind(), r.Shown().ID())
		for _, f := range r.Fields {
			fmt.Fprintf(&b, "  %s %s: %s > %s", f.Change(), f.Name, f.Before, f.After)
			if f.List != nil {
				fmt.Fprintf(&b, " -%v +%v", f.List.Removed, f.List.Added)
			}
			b.WriteByte('\n')
		}
	}
	if d.Reordered {
		b.WriteString("reordered\n")
	}
	if d.Respelled {
		b.WriteString("respelled\n")
	}
	return b.String()
}

const (
	specLine = `{"t": "spec", "spec": "a.md"}`
	taskLine = `{"t": "task", "id": "t-aaaa", "spec": "a.md", "name": "One", "s": "p"}`
	nextLine = `{"t": "task", "id": "t-bbbb", "spec": "a.md", "name": "Two", "deps": ["t-aaaa"], "s": "p"}`
)

// Every kind of difference is reported once, and what only looks different is said
// to be so.
func TestCompare(t *testing.T) {
	tests := []struct {
		name          string
		before, after []string
		want          string
	}{
		{"same", []string{specLine, taskLine}, []string{specLine, taskLine}, ""},
		{"added", []string{specLine}, []string{specLine, taskLine}, "added task t-aaaa\n"},
		{"removed", []string{specLine, taskLine}, []string{specLine}, "removed task t-aaaa\n"},
		{"order", []string{taskLine, nextLine}, []string{nextLine, taskLine}, "reordered\n"},
		{"blank line", []string{taskLine}, []string{taskLine, ""}, "respelled\n"},
		{"line ending", []string{taskLine}, []string{taskLine + "\r"}, "respelled\n"},
		{
			"spelling",
			[]string{`{"t": "task", "id": "t-aaaa", "name": "é", "meta": {"a": 1, "b": [2]}}`},
			[]string{`{"id":"t-aaaa","t":"task","meta":{"b":[2],"a":1},"name":"\u00e9"}`},
			"respelled\n",
		},
		{
			"fields",
			[]string{taskLine},
			[]string{`{"t": "task", "id": "t-aaaa", "spec": "a.md", "name": "One more", "s": "d", "done_at": "123"}`},
			"changed task t-aaaa\n  changed name: \"One\" > \"One more\"\n  changed s: \"p\" > \"d\"\n  added done_at:  > \"123\"\n",
		},
		{
			"field removed",
			[]string{nextLine},
			[]string{`{"t": "task", "id": "t-bbbb", "spec": "a.md", "name": "Two", "s": "p"}`},
			"changed task t-bbbb\n  removed deps: [\"t-aaaa\"] > \n",
		},
		{
			"list",
			[]string{`{"t": "task", "id": "t-aaaa", "deps": ["t-x", "t-y"]}`},
			[]string{`{"t": "task", "id": "t-aaaa", "deps": ["t-y", "t-z"]}`},
			"changed task t-aaaa\n  changed deps: [\"t-x\", \"t-y\"] > [\"t-y\", \"t-z\"] -[t-x] +[t-z]\n",
		},
		{
			"number",
			[]string{`{"t": "task", "id": "t-aaaa", "n": 1.0}`},
			[]string{`{"t": "task", "id": "t-aaaa", "n": 1}`},
			"changed task t-aaaa\n  changed n: 1.0 > 1\n",
		},
		{
			"lone surrogates",
			[]string{`{"t": "task", "id": "t-aaaa", "n": "\ud800"}`},
			[]string{`{"t": "task", "id": "t-aaaa", "n": "\ud801"}`},
			"changed task t-aaaa\n  changed n: \"\\ud800\" > \"\\ud801\"\n",
		},
		{"spec", []string{specLine}, []string{`{"t": "spec", "spec": "b.md"}`}, "changed spec \n  changed spec: \"a.md\" > \"b.md\"\n"},
		{
			"a legacy task gets a name",
			[]string{`{"t": "task", "id": "t-aaaa", "desc": "One", "s": "p"}`},
			[]string{`{"t": "task", "id": "t-aaaa", "name": "One", "s": "p"}`},
			"respelled\n",
		},
		{
			"another task with the same id",
			[]string{`{"t": "task", "id": "t-aaaa", "created_at": "2026-01-01T00:00:00.000Z"}`},
			[]string{`{"t": "task", "id": "t-aaaa", "created_at": "2026-01-02T00:00:00.000Z"}`},
			"added task t-aaaa\nremoved task t-aaaa\n",
		},
		{
			"tombstones",
			[]string{`{"t": "reject", "id": "t-aaaa", "done_at": "1", "reason": "x"}`},
			[]string{`{"t": "reject", "id": "t-aaaa", "done_at": "1", "reason": "y"}`, `{"t": "reject", "id": "t-aaaa", "done_at": "2", "reason": "x"}`},
			"changed reject t-aaaa\n  changed reason: \"x\" > \"y\"\nadded reject t-aaaa\n",
		},
		{"unknown kind", []string{`{"t": "x", "v": 1}`}, []string{`{"t": "x", "v": 2}`}, "added x \nremoved x \n"},
		{"unknown kind with id", []string{`{"t": "x", "id": "1", "v": 1}`}, []string{`{"t": "x", "id": "1", "v": 2}`}, "changed x 1\n  changed v: 1 > 2\n"},
		{
			"an id that stands twice",
			[]string{taskLine, `{"t": "task", "id": "t-aaaa", "name": "Other"}`},
			[]string{taskLine, `{"t": "task", "id": "t-aaaa", "name": "Another"}`},
			"changed task t-aaaa\n  changed name: \"Other\" > \"Another\"\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := summary(plandiff.Compare(decode(t, tt.before...), decode(t, tt.after...))); got != tt.want {
				t.Errorf("got:\n%swant:\n%s", got, tt.want)
			}
		})
	}
}

// The spec comes first, then everything by id, wherever its line stands.
func TestCompareOrder(t *testing.T) {
	got := summary(plandiff.Compare(decode(t), decode(t, nextLine, `{"t": "reject", "id": "t-aaaa"}`, `{"t": "x"}`, taskLine, specLine)))
	want := "added spec \nadded x \nadded task t-aaaa\nadded reject t-aaaa\nadded task t-bbbb\n"
	if got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

// A diff reports all and nothing else: what is kept, less what is removed, plus
// what is added, is the new plan.
func TestCompareIsComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := decode(t, genLines(t, "before")...), decode(t, genLines(t, "after")...)
		d := plandiff.Compare(before, after)
		if same := string(before.Encode()) == string(after.Encode()); same != d.Empty() {
			t.Fatalf("same bytes: %v, empty diff: %v", same, d.Empty())
		}
		lines := counts(before)
		for _, r := range d.Records {
			if r.Change != plandiff.Added {
				lines[r.Before.JSON()]--
			}
			if r.Change != plandiff.Removed {
				lines[r.After.JSON()]++
			}
		}
		if d.Respelled {
			return // which records those are is not reported
		}
		for line, n := range counts(after) {
			if lines[line] != n {
				t.Fatalf("%s: %d times, the diff makes it %d", line, n, lines[line])
			}
		}
	})
}

func counts(p *plan.Plan) map[string]int {
	lines := map[string]int{}
	for _, r := range p.Records() {
		lines[r.JSON()]++
	}
	return lines
}

func genLines(t *rapid.T, label string) []string {
	line := rapid.Custom(func(t *rapid.T) string {
		kind := rapid.SampledFrom([]string{"task", "issue", "reject", "spec", "x"}).Draw(t, "kind")
		id := rapid.SampledFrom([]string{"", `, "id": "t-1"`, `, "id": "t-2"`, `, "id": "t-3"`}).Draw(t, "id")
		name := rapid.SampledFrom([]string{"", `, "name": "a"`, `, "name": "\u0061"`, `, "name": "b"`, `, "desc": "a"`}).Draw(t, "name")
		return fmt.Sprintf(`{"t": %q%s%s}`, kind, id, name)
	})
	return rapid.SliceOfN(line, 0, 8).Draw(t, label)
}
