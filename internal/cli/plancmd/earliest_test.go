package plancmd

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"git-ralph/internal/git"
	"git-ralph/internal/plan"
	"git-ralph/internal/schedule"
	"git-ralph/internal/test/gittest"
)

// TestDoneEarliest guards: without an id, task reject takes the task that was
// done at the oldest commit. Where dates are equal an ancestor is older, then
// the older task goes first.
func TestDoneEarliest(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Env = append(r.Env, "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
	first := r.Commit("first", map[string]string{"a": "1"})
	second := r.Commit("second", map[string]string{"a": "2"})
	third := r.Commit("third", map[string]string{"a": "3"})
	side := r.Git("commit-tree", "-m", "side", "-p", first, first+"^{tree}")
	r.Env = append(r.Env, "GIT_COMMITTER_DATE=2025-01-02T03:04:05Z")
	skewed := r.Commit("skewed", map[string]string{"a": "4"})
	gone := strings.Repeat("1", 12)
	repo, err := git.Open(context.Background(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range []struct {
		name string
		at   []string // where t-0, t-1, … were done; t-0 is the oldest
		want string
	}{
		{"one", []string{first}, "t-0"},
		{"an ancestor of the same second", []string{third[:12], second[:12], first[:12]}, "t-2"},
		{"an ancestor of the same second, in order", []string{first[:12], third[:12], second[:12]}, "t-0"},
		{"neither is an ancestor", []string{side[:12], second[:12]}, "t-0"},
		{"neither is an ancestor, the other way", []string{second[:12], side[:12]}, "t-0"},
		{"one commit, spelled twice", []string{second[:12], second}, "t-0"},
		{"a date goes before ancestry", []string{first[:12], skewed[:12]}, "t-1"},
		{"a commit that is gone comes last", []string{gone, "", "--all", third[:12]}, "t-3"},
		{"no commit is known", []string{gone, ""}, "t-0"},
	} {
		lines := []string{`{"t": "spec", "spec": "a.md"}`}
		for i, at := range it.at {
			spec := []string{"b.md", "a.md"}[i%2] // age counts, not the spec
			lines = append(lines, fmt.Sprintf(`{"t": "task", "id": "t-%d", "spec": %q, "name": "x", "s": "d", "done_at": %q, "created_at": "2026-01-01T00:00:0%d.000Z"}`, i, spec, at, i))
		}
		p, problems := plan.Decode(strings.Join(lines, "\n"))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if got := doneEarliest(repo.Reader(context.Background()), schedule.Of(p).Done()); got.ID() != it.want {
			t.Errorf("%s: %s, want %s", it.name, got.ID(), it.want)
		}
	}
}
