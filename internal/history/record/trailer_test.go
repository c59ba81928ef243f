package record

import (
	"slices"
	"testing"
)

// Trailers are found behind the marks of quotation and lists that squashes put
// before them; a branch counts for the events above it (docs/history.md,
// "Messages").
func TestTrailers(t *testing.T) {
	all := parseTrailers("Squash\n\n* ralph: a\n\n  * Ralph-Event: added t-1 {\"at\": \"2026-01-18T10:00:00Z\", \"name\": \"x\"}\r\n" +
		"> > Ralph-Event: done t-1 {broken\n    Ralph-Branch: feature/x \nRalph-Event: accepted t-1\nsay Ralph-Event: cancelled t-1 {}\n" +
		"Ralph-Event: invented t-1 {}\nRalph-Event: added\nRalph-Event: spec - {}\nRalph-Branch: main\nRalph-Event: done t-2 {}")
	var got []string
	for _, s := range all {
		got = append(got, string(s.name)+" "+s.id+" "+s.branch+" "+s.text("name")+s.at())
	}
	want := []string{"added t-1 feature/x x2026-01-18T10:00:00.000Z", "done t-1 feature/x ", "accepted t-1 main ", "done t-2  "}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if all.branch() != "" || all[:2].branch() != "feature/x" {
		t.Error("the one branch of a message")
	}
}

// FuzzMessage: no message makes the reading fail.
func FuzzMessage(f *testing.F) {
	f.Add("Merge pull request 'x' (#1) from a:b into c\n\n> Ralph-Event: superseded t-1 {\"superseded_by\": \"t-2\"}\nRalph-Branch: x")
	f.Add("Merge branches 'a', 'b' and 'c'\nRalph-Event: decomposed t-1 {}\nRalph-Event: edited i-1 {}")
	f.Fuzz(func(t *testing.T, message string) {
		mergeNames(message)
		table := NewLineTable()
		v := table.Reader().Read([]byte(message + "\n" + `{"t": "task", "id": "t-1", "s": "d", "done_at": "x"}`))
		w := reconciliation{lines: table, before: v, after: table.Reader().Read(nil)}
		for _, e := range w.reconcile(nil, parseTrailers(message)) {
			if e.rank() < 0 || e.Kind == "" {
				t.Fatalf("%+v", e)
			}
		}
	})
}
