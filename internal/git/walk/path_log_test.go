package walk_test

import (
	"slices"
	"testing"

	"git-ralph/internal/git/walk"
	"git-ralph/internal/test/gittest"
)

// The last change is a merge only where the merge itself made the file.
func TestParentsOfLastChange(t *testing.T) {
	const plan = "ralph/plan.jsonl"
	r, base, ours, theirs := gittest.Conflict(t, plan)
	repo := mustOpen(t, r)
	r.WriteFile(plan, "both\n")
	r.Git("commit", "-q", "-a", "-m", "merged")
	r.Git("commit", "-q", "--allow-empty", "-m", "later")
	for _, test := range []struct {
		commit, path string
		want         []string
	}{
		{"HEAD", plan, []string{ours, theirs}},
		{"HEAD", "other", nil},
		{theirs, plan, []string{base}},
		{"HEAD", "none", nil},
	} {
		got, err := walk.ParentsOfLastChange(t.Context(), repo, test.commit, test.path)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, %v; want %v", test.path, got, err, test.want)
		}
	}
}

// TestTouchOnly guards: commits of one file alone are distinguished from those that hold more, or nothing, also over
// merges.
func TestTouchOnly(t *testing.T) {
	r := gittest.NewRepo(t)
	ctx, repo := t.Context(), mustOpen(t, r)
	const plan = "ralph/plän b.jsonl"
	first := r.Commit("first", map[string]string{"a": "1"})
	alone := r.Commit("alone", map[string]string{plan: "1"})
	again := r.Commit("again", map[string]string{plan: "2"})
	empty := r.Commit("empty", nil)
	more := r.Commit("more", map[string]string{plan: "3", "a": "2"})
	r.Git("checkout", "-q", "-b", "side", first)
	r.Commit("side", map[string]string{"b": "1"})
	r.Git("merge", "-q", "-m", "merge", again)
	merged := r.Git("rev-parse", "HEAD")
	for _, c := range []struct {
		before, after string
		want          bool
	}{{first, alone, true}, {first, again, true}, {again, empty, false}, {alone, empty, false}, {empty, more, false}, {first, merged, false}} {
		if only, err := walk.TouchOnly(ctx, repo, c.before, c.after, plan); only != c.want || err != nil {
			t.Errorf("%s..%s: %t %v", r.Git("log", "-1", "--format=%s", c.before), r.Git("log", "-1", "--format=%s", c.after), only, err)
		}
	}
}
