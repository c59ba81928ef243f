package land_test

import (
	"strings"
	"testing"

	"git-ralph/internal/land"
)

const lines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"

// Changes of one file in different places merge as git merges them, by the attributes of the target and by the drivers that are
// configured; the worktree that the command runs in has no part in it.
func TestBothChangedOneFile(t *testing.T) {
	for _, driver := range []string{"", "cat %A %B >%A.all; mv %A.all %A"} {
		s := newSite(t, 4, map[string]string{
			"d/file": lines, "union": "x\n", "driven": "x\n", ".gitattributes": "union merge=union\ndriven merge=both\n",
		})
		all := map[string]string{"driven": "first\n", "union": "first\n"}
		s.make(
			work{name: "one", files: map[string]string{"d/file": strings.Replace(lines, "2", "two", 1)}, task: 1},
			work{name: "two", files: map[string]string{"d/file": strings.Replace(lines, "8", "eight", 1)}, task: 2},
			work{name: "three", files: all, task: 3},
			work{name: "four", files: map[string]string{"driven": "second\n", "union": "second\n"}, task: 4},
		)
		s.Git("rm", "-q", ".gitattributes")
		want := map[string]land.Outcome{"one": land.Landed, "two": land.Landed, "three": land.Landed, "four": land.Conflict}
		if driver != "" {
			s.Git("config", "merge.both.driver", driver)
			want["four"] = land.Landed
		}
		_, got := s.land(land.Options{Branches: []string{"one", "two", "three", "four"}})
		s.outcomes(got, want)
		if file := s.Git("show", "main:d/file"); !strings.Contains(file, "two") || !strings.Contains(file, "eight") {
			t.Errorf("merged file: %q", file)
		}
		if driver == "" {
			if b := got["four"]; len(b.Paths) != 1 || b.Paths[0] != "driven" {
				t.Errorf("conflict in %q, want the one that has no driver", b.Paths)
			}
		} else if both := s.Git("show", "main:driven") + s.Git("show", "main:union"); both != "first\nsecondfirst\nsecond" {
			t.Errorf("driven and union: %q", both)
		}
		s.Fsck()
	}
}

// A branch that began before another one landed, and was merged with the target since, lands too.
func TestCrissCross(t *testing.T) {
	s := newSite(t, 2, map[string]string{"file": lines})
	s.make(work{name: "one", files: map[string]string{"file": strings.Replace(lines, "2", "two", 1)}, task: 1})
	s.land(land.Options{Branches: []string{"one"}})
	s.make(work{name: "two", files: map[string]string{"other": "x\n"}, task: 2})
	s.Git("checkout", "-q", "two")
	s.Git("config", "merge.ralph.driver", "false")
	s.WriteFile("ralph/plan.jsonl", s.plan(map[int]string{1: "a001", 2: "a002"}))
	s.Git("add", "-A")
	tree := s.Git("write-tree")
	both := s.Git("commit-tree", "-p", "two", "-p", "one", "-m", "merged", tree)
	s.Git("reset", "-q", "--hard", both)
	s.Git("checkout", "-q", "--detach")
	s.Git("branch", "-f", "two", both)
	_, got := s.land(land.Options{Branches: []string{"two"}})
	s.outcomes(got, map[string]land.Outcome{"two": land.Landed})
	if strings.Join(got["two"].Tasks, " ") != "t-002" {
		t.Errorf("%+v", got["two"])
	}
	if s.Git("show", "main:other") != "x" || strings.Count(s.Git("show", "main:ralph/plan.jsonl"), `"s": "d"`) != 2 {
		t.Error("the target lacks something")
	}
}
