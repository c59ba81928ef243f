package land_test

import (
	"strings"
	"testing"

	"git-ralph/internal/land"
)

// With Rebase the commits of all branches are made again in a line, with their authors and messages; the last one of each has the
// trailers. The files are those of a merge.
func TestRebase(t *testing.T) {
	s := newSite(t, 2, map[string]string{"file": lines, "hot": "x\n"})
	s.make(
		work{name: "one", files: map[string]string{"file": strings.Replace(lines, "2", "two", 1)}, message: "first"},
		work{name: "one", more: true, files: map[string]string{"1": "1\n"}, task: 1, message: "second\n\nReviewed-by: x"},
		work{name: "two", files: map[string]string{"file": strings.Replace(lines, "8", "eight", 1)}, task: 2, message: "third"},
		work{name: "hot", files: map[string]string{"hot": "z\n"}},
		work{name: "bad", files: map[string]string{"hot": "y\n"}},
		work{name: "bad", more: true, files: map[string]string{"hot": "x\n", "3": "3\n"}},
	)
	s.finish(1, "one")
	_, got := s.land(land.Options{Branches: []string{"one", "two", "hot", "bad"}, Rebase: true})
	s.outcomes(got, map[string]land.Outcome{"one": land.Landed, "two": land.Landed, "hot": land.Landed, "bad": land.Conflict})
	if log := s.Git("log", "--reverse", "--format=%s %an %p", s.base+"..main"); strings.Count(log, "\n") != 3 || !strings.HasPrefix(log, "first A ") {
		t.Errorf("history:\n%s", log)
	}
	if message := s.Git("log", "-1", "--format=%B", "--grep=^second", "main"); !strings.HasPrefix(message, "second\n\nReviewed-by: x\nRalph-Landed: t-001 ") {
		t.Errorf("message:\n%s", message)
	}
	if file := s.Git("show", "main:file"); !strings.Contains(file, "two") || !strings.Contains(file, "eight") {
		t.Errorf("file: %q", file)
	}
	if s.claimed(1).Exists() || strings.Count(s.Git("show", "main:ralph/plan.jsonl"), `"s": "d"`) != 2 {
		t.Error("a claim is left, or a task is not done")
	}
	_, got = s.land(land.Options{Branches: []string{"hot"}, Rebase: true})
	s.outcomes(got, map[string]land.Outcome{"hot": land.Contained})
	s.Fsck()
}
