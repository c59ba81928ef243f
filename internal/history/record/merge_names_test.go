package record

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
