package git_test

import (
	"slices"
	"testing"

	"git-ralph/internal/test/gittest"
)

func TestMergeBases(t *testing.T) {
	r, base, ours, theirs := gittest.Conflict(t, planPath)
	r.WriteFile(planPath, "both\n")
	r.Git("commit", "-q", "-a", "-m", "one")
	one := r.Git("rev-parse", "HEAD")
	r.Git("checkout", "-q", "topic")
	r.Git("merge", "-q", "-s", "ours", "-m", "two", ours)
	two := r.Git("rev-parse", "HEAD")
	r.Git("checkout", "-q", "--orphan", "alone")
	r.Git("commit", "-q", "-m", "alone")
	repo := mustOpen(t, r)
	for _, test := range []struct {
		of, want []string
	}{
		{[]string{ours, theirs}, []string{base}},
		{[]string{one, two}, []string{ours, theirs}},
		{[]string{base, ours, theirs}, []string{base}},
		{[]string{one, "alone"}, nil},
	} {
		got, err := repo.MergeBases(t.Context(), test.of[0], test.of[1:]...)
		slices.Sort(got)
		slices.Sort(test.want)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, %v; want %v", test.of, got, err, test.want)
		}
	}
	if _, err := repo.MergeBases(t.Context(), one, "-none"); err == nil {
		t.Error("an unknown commit has merge bases")
	}
}

// planPath is the file that the tests change.
const planPath = "ralph/plan.jsonl"
