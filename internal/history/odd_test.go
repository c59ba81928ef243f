package history_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// taskLine is a plan of one task.
func taskLine(id, name string) string {
	return fmt.Sprintf(`{"t":"task","id":%q,"name":%q,"s":"p","spec":"a.md","created_at":"2026-01-01T00:00:00Z"}`+"\n", id, name)
}

// Several commits without their parents are reported as far as they go.
func TestSeveralParentsAreMissing(t *testing.T) {
	r := gittest.NewRepo(t)
	for _, branch := range []string{"a", "b", "c"} {
		r.Git("switch", "-q", "--orphan", branch)
		lost := r.Commit("one", map[string]string{planFile: taskLine("t-000"+branch, "one")})
		r.Commit("two", map[string]string{planFile: taskLine("t-000"+branch, "two")})
		if err := os.Remove(r.Path(".git/objects/" + lost[:2] + "/" + lost[2:])); err != nil {
			t.Fatal(err)
		}
	}
	h := read(t, r, []string{planFile}, "test")
	if len(h.Lives) != 3 || len(h.Events) != 0 || !strings.HasPrefix(strings.Join(h.Warnings, "\n"), "3 commits are missing") {
		t.Errorf("%d lives, %d events, %q", len(h.Lives), len(h.Events), h.Warnings)
	}
}

// A missing directory beside the plan is reported; the plan's own history is read all the same, warm and cold.
func TestDirectoryBesideIsMissing(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("begin", map[string]string{"docs/a/x": "x\n"})
	r.Commit("one", map[string]string{"docs/a/x": "y\n", planFile: taskLine("t-0001", "one")})
	r.Commit("two", map[string]string{"docs/a/x": "z\n", planFile: taskLine("t-0001", "two")})
	lost := r.Git("rev-parse", "HEAD~1:docs/a")
	if err := os.Remove(r.Path(".git/objects/" + lost[:2] + "/" + lost[2:])); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		h := read(t, r, []string{planFile}, "test")
		if len(h.Lives) != 1 || len(h.Lives[0].Events) != 2 || len(h.Warnings) != 1 || !strings.Contains(h.Warnings[0], "1 commit is not whole") {
			t.Errorf("%d lives, %q", len(h.Lives), h.Warnings)
		}
	}
}

// A commit that is replaced by one of its descendants is its own ancestor.
func TestLoopOfCommits(t *testing.T) {
	r := gittest.NewRepo(t)
	r.Commit("begin", map[string]string{"README": "x\n"})
	first := r.Commit("one", map[string]string{planFile: taskLine("t-0001", "one")})
	r.Commit("same", map[string]string{"README": "y\n"})
	last := r.Commit("same again", map[string]string{"README": "z\n"})
	r.Commit("gone", map[string]string{planFile: ""})
	r.Git("replace", first, last)
	h := read(t, r, []string{planFile}, "test")
	if len(h.Lives) != 1 || h.Lives[0].ID != "t-0001" {
		t.Errorf("lives: %d", len(h.Lives))
	}
}
