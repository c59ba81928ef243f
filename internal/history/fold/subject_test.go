package fold

import (
	"slices"
	"testing"
)

// Merges name their branches as git and forges write it (docs/history.md,
// "Branches").
func TestMergeNames(t *testing.T) {
	for message, want := range map[string][]string{
		"Merge branch 'x'":                                         {"", "x"},
		"Merge branch 'feature/x' into y":                          {"y", "feature/x"},
		"Merge branch 'x' of https://example.org/o'r":              {"", "x"},
		"Merge branch 'x' of https://example.org/o'r into y":       {"y", "x"},
		"Merge branch 'x' into HEAD":                               {"", "x"},
		"Merge branch 'x' into o'b":                                {"o'b", "x"},
		"Merge branch 'o'brien's' into 'o'b'":                      {"o'b", "o'brien's"},
		"Merge branches 'a'b', 'c,d', and 'e'":                     {"", "a'b", "c,d", "e"},
		"Merge branch 'refs/heads/x' into refs/heads/y":            {"y", "x"},
		"Merge branch 'heads/x'":                                   {"", "x"},
		"Merge branch 'x' (early part)":                            {"", "x"},
		"Merge branches 'a', 'b' and 'c'":                          {"", "a", "b", "c"},
		"Merge branches 'a' and 'b' into 'main'":                   {"main", "a", "b"},
		"Merge remote-tracking branch 'origin/feature/x'":          {"", "refs/remotes/origin/feature/x"},
		"Merge remote-tracking branch 'refs/remotes/origin/x'":     {"", "refs/remotes/origin/x"},
		"Merge remote-tracking branches 'o/a' and 'p/b'":           {"", "refs/remotes/o/a", "refs/remotes/p/b"},
		"Merge branch 'a', remote-tracking branch 'o/b'":           {"", "a", "refs/remotes/o/b"},
		"Merge tag 'v1'; commit 'abc'":                             {"", "", ""},
		"Merge commit '0123'":                                      {"", ""},
		"Merge pull request #1 from owner/feature/x":               {"", "feature/x"},
		"Merge pull request #1 from owner/x\n\nTitle":              {"", "x"},
		"Merge pull request 'a from b into c' (#1) from x into d":  {"d", "x"},
		"Merge pull request 'Title' (#1) from owner:x into main":   {"main", "x"},
		"Merge pull request 12 from x into main":                   {"main", "x"},
		"Merged in feature/x (pull request #1)":                    {"", "feature/x"},
		"Merge pull request #1 in P/r from x to main":              {"main", "x"},
		"Pull request #1: Title\n\nMerge in ~U/r from x to main\n": {"main", "x"},
		"Merge": nil, "Merge 'x": nil, "": nil, "Merge the branch of knowledge": nil, "Merged in ": nil, "Pull request #1: from x to y": nil,
		"Merged PR 12: Title": nil, "Merge the fixes into main": nil,
	} {
		if got := mergeNames(message); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", message, got, want)
		}
	}
}

// Trailers are found behind the marks of quotation and lists that squashes put
// before them; a branch counts for the events above it (docs/history.md,
// "Messages").
func TestTrailers(t *testing.T) {
	said := parse("Squash\n\n* ralph: a\n\n  * Ralph-Event: added t-1 {\"at\": \"2026-01-18T10:00:00Z\", \"name\": \"x\"}\r\n" +
		"> > Ralph-Event: done t-1 {broken\n    Ralph-Branch: feature/x \nRalph-Event: accepted t-1\nsay Ralph-Event: cancelled t-1 {}\n" +
		"Ralph-Event: invented t-1 {}\nRalph-Event: added\nRalph-Event: spec - {}\nRalph-Branch: main\nRalph-Event: done t-2 {}")
	var got []string
	for _, s := range said {
		got = append(got, string(s.name)+" "+s.id+" "+s.branch+" "+s.text("name")+s.at())
	}
	want := []string{"added t-1 feature/x x2026-01-18T10:00:00.000Z", "done t-1 feature/x ", "accepted t-1 main ", "done t-2  "}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if said.branch() != "" || said[:2].branch() != "feature/x" {
		t.Error("the one branch of a message")
	}
}

// FuzzMessage: no message makes the reading fail.
func FuzzMessage(f *testing.F) {
	f.Add("Merge pull request 'x' (#1) from a:b into c\n\n> Ralph-Event: superseded t-1 {\"superseded_by\": \"t-2\"}\nRalph-Branch: x")
	f.Add("Merge branches 'a', 'b' and 'c'\nRalph-Event: decomposed t-1 {}\nRalph-Event: edited i-1 {}")
	f.Fuzz(func(t *testing.T, message string) {
		mergeNames(message)
		b := NewBook()
		v := b.Reader().Read([]byte(message + "\n" + `{"t": "task", "id": "t-1", "s": "d", "done_at": "x"}`))
		w := witness{book: b, before: v, after: b.Reader().Read(nil)}
		w.hear(parse(message))
		for _, told := range w.told {
			if told.rank() < 0 || told.Kind == "" {
				t.Fatalf("%+v", told)
			}
		}
	})
}
