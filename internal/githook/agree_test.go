package githook

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"git-ralph/internal/history/record"
	"git-ralph/internal/jsonl"
	"git-ralph/internal/merge"
	"git-ralph/internal/plan"
	"git-ralph/internal/plandiff"
)

// docs/merge.md, docs/history.md: whether a field changed is one question with one answer, for log, for diff, for the merge
// of plans and for what a run reports.
func TestAllViewsAgreeWhatChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"x", "meta"}).Draw(t, "field")
		was, is := spelling(t, 3), spelling(t, 3)
		if name == "meta" { // holds an object
			was, is = `{"a": `+was+`}`, `{"a":`+is+`}`
		}
		line := func(value string) string {
			return `{"t": "issue", "id": "i-1", "spec": "s", "desc": "d", "` + name + `": ` + value + "}\n"
		}
		before, after := decoded(t, line(was)), decoded(t, line(is))
		want := !jsonl.Equal(jsonl.Value(was), jsonl.Value(is))
		issue, _ := before.Issue("i-1")
		now, _ := after.Issue("i-1")

		edited := func(e record.Event) bool { return e.Name == plan.EventEdited }
		merged, err := merge.Merge([]byte(line(was)), []byte(line(is)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for view, got := range map[string]bool{
			"edits": len(plan.Edits(issue, now)) > 0,
			"diff":  len(plandiff.Compare(before, after).Records) > 0,
			"log":   slices.ContainsFunc(record.Between([]byte(line(was)), []byte(line(is))), edited),
			"merge": len(merged.Data) > 0, // an issue that one side removed stays where the other edited it
		} {
			if got != want {
				t.Errorf("%s: %s to %s: changed %v, want %v", view, was, is, got, want)
			}
		}
	})
}

func decoded(t *rapid.T, text string) *plan.Plan {
	p, problems := plan.Decode(text)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return p
}

// spelling draws a value, of few that are spelled in several ways.
func spelling(t *rapid.T, depth int) string {
	scalar := rapid.SampledFrom([]string{
		`1`, `1.0`, `true`, `"a"`, `"\u0061"`, `"\ud800"`, `"\uD800"`, `"\udc00"`, `"\ufffd"`, "\"\ufffd\"", `"\ud83d\ude00"`, `"😀"`,
	}).Draw(t, "scalar")
	if depth == 0 {
		return scalar
	}
	space := rapid.SampledFrom([]string{"", " "}).Draw(t, "space")
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return "[" + strings.Join([]string{scalar, spelling(t, depth-1)}, ","+space) + "]"
	case 1:
		members := []string{`"a":` + space + scalar, rapid.SampledFrom([]string{`"b"`, `"\u0062"`}).Draw(t, "name") + `: ` + spelling(t, depth-1)}
		if rapid.Bool().Draw(t, "swap") {
			slices.Reverse(members)
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	return scalar
}
