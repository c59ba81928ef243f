package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"git-ralph/internal/jsonl"
)

// TestDocument guards: each step's members are read, what an agent may not set in an item is not, and a task can be blocked.
func TestDocument(t *testing.T) {
	for block, want := range map[string]Document{
		`{"artifact": " r.md ", "files": ["a.go", "b.go"], "summary": "s", "issues": ["i"]}`: {
			Artifact: "r.md", Modifies: []string{"a.go", "b.go"}, Build: Build{Summary: "s", Issues: []string{"i"}, Files: []string{"r.md"}},
		},
		`{"verdict": "NEEDS_ITERATION", "reason": "no tests"}`: {Verdict: "NEEDS_ITERATION", Action: "NEEDS_ITERATION", Build: Build{Reason: "no tests"}},
		`{"action": "Done", "estimate": "XS"}`:                 {Action: "Done", Estimate: "XS"},
		`{"verdict": "blocked", "reason": "no network"}`:       {Verdict: "blocked", Action: "blocked", Build: Build{Blocked: true, Reason: "no network"}},
	} {
		got, err := reportOf(t, block).Document()
		want.NewSubItems = []jsonl.Object(nil)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", block, err, diff)
		}
	}
	got, err := reportOf(t, `{"items": [{"id": "a", "name": "A", "state": "Done", "number": 7, "blocked_by": ["b"], "desc": null}]}`).Document()
	if err != nil || len(got.NewSubItems) != 1 || got.NewSubItems[0].Text() != `{"id": "a", "name": "A", "blocked_by": ["b"]}` {
		t.Errorf("%v %v", got.NewSubItems, err)
	}
	for _, block := range []string{`{"files": 7}`, `{"items": ["A"]}`, `{"issues": [7]}`} {
		if _, err := reportOf(t, block).Document(); err == nil {
			t.Errorf("%s is taken", block)
		}
	}
}

func reportOf(t *testing.T, block string) Report {
	t.Helper()
	r, err := Find(begin+block+End, "")
	if err != nil {
		t.Fatal(err)
	}
	return r
}
