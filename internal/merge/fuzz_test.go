package merge_test

import (
	"reflect"
	"testing"

	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
)

// FuzzMerge: whatever the inputs hold, the sides are alike, valid plans give a
// valid plan, and a side that did nothing changes nothing.
func FuzzMerge(f *testing.F) {
	a, b := task("t-1", `"name": "a b c", "s": "p"`), task("t-1", `"name": "a b d", "s": "d", "done_at": "aa"`)
	f.Add(a+"\n", b+"\n", task("t-2", `"deps": ["t-1"]`)+"\n")
	f.Add("", a+"\n"+tombA1, b+"\r\n"+`{"t": "spec", "spec": "a.md"}`+"\r\n")
	f.Add(a, a+"\n<<<<<<< ours", b)
	f.Add("\ufeff"+a, task("t-1", `"meta": {"a": [1, 2.0]}, "renamed_from": ["t-3", ""]`), task("t-3", `"meta": {"a": {}}, "conflict": {"name": ["a"], "removed": true}`))
	f.Add(task("t-1", `"conflict": {"conflict": [1], "notes": [2], "deps": [3]}`), task("t-1", `"notes": "a", "conflict": {"id": [1]}`), task("t-1", `"deps": ["\ud800"], "labels": ["a"]`))
	f.Add("", task("t-1", `"deps": ["t-2"]`), task("t-2", `"deps": ["t-1"], "x": [[[[{"a": [1]}]]]]`))
	f.Fuzz(func(t *testing.T, base, x, y string) {
		got, err := merge.Merge([]byte(base), []byte(x), []byte(y))
		back, errBack := merge.Merge([]byte(base), []byte(y), []byte(x))
		if (err == nil) != (errBack == nil) || !reflect.DeepEqual(got, back) {
			t.Fatalf("the sides are not alike: %v, %v\n%q\n%q", err, errBack, got.Data, back.Data)
		}
		if err == nil {
			checkSteps(t, []byte(base), []byte(x), []byte(y), got)
		}
		for _, input := range []string{base, x, y} {
			if _, problems := plan.Decode(input); len(problems) > 0 {
				return
			}
		}
		if err != nil {
			t.Fatalf("valid plans, and yet: %v", err)
		}
		if _, problems := plan.Decode(string(got.Data)); len(problems) > 0 {
			t.Fatalf("not valid: %v\n%s", problems, got.Data)
		}
	})
}
