package main

import (
	"strings"
	"testing"
)

// TestCompareNoticesLoss: the check is worth something only if it sees each kind of damage.
func TestCompareNoticesLoss(t *testing.T) {
	const plan = `{"t": "spec", "spec": "a.md"}
{"t": "stage", "n": 1.0}
{"t": "task", "id": "t-aaaa", "s": "p", "x": 1.0}
{"t": "reject", "id": "t-aaaa", "reason": "no"}
`
	done := step{id: "t-aaaa", fields: []string{"s", "done_at"}}
	for _, c := range []struct {
		name     string
		old, new string
		st       step
		damage   bool
	}{
		{"nothing changed", "", "", step{}, false},
		{"a field of the step", `"s": "p"`, `"s": "d", "done_at": "1"`, done, false},
		{"a task that leaves", `{"t": "task", "id": "t-aaaa", "s": "p", "x": 1.0}` + "\n", "", done, false},
		{"a new record", `{"t": "reject"`, `{"t": "task", "id": "t-bbbb"}` + "\n" + `{"t": "reject"`, step{}, false},
		{"another task", `"s": "p"`, `"s": "d"`, step{id: "t-bbbb", fields: done.fields}, true},
		{"an unknown field of the task", `"x": 1.0`, `"x": 1`, done, true},
		{"a lost field", `, "x": 1.0`, ``, done, true},
		{"an unknown record", `"n": 1.0`, `"n": 1`, done, true},
		{"a lost tombstone", `{"t": "reject", "id": "t-aaaa", "reason": "no"}` + "\n", "", done, true},
		{"the spec", "a.md", "b.md", done, true},
		{"the spec, by set-spec", "a.md", "b.md", step{spec: true, fields: []string{"spec"}}, false},
		{"another order", `{"t": "spec", "spec": "a.md"}` + "\n" + `{"t": "stage", "n": 1.0}`, `{"t": "stage", "n": 1.0}` + "\n" + `{"t": "spec", "spec": "a.md"}`, step{}, true},
	} {
		after := strings.Replace(plan, c.old, c.new, 1)
		if err := compare(strings.SplitAfter(plan, "\n"), strings.SplitAfter(after, "\n"), c.st); (err != nil) != c.damage {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
