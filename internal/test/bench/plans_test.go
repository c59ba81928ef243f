package main

import (
	"os"
	"path/filepath"
	"testing"

	"git-ralph/internal/plan"
)

// TestGeneratedPlanIsValid: what is measured is the common case, a plan without problems, also after an edit.
func TestGeneratedPlanIsValid(t *testing.T) {
	repo := t.TempDir()
	path := filepath.Join(repo, planPath)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(planText(1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := addTask(repo, 1001); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, problems := plan.Decode(string(text))
	if len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	if !p.IsCanonical() {
		t.Error("the plan is not in canonical order")
	}
}

// TestCountStarts: git's own trace reports each process once.
func TestCountStarts(t *testing.T) {
	trace := `{"event":"version","sid":"1"}
{"event":"start","sid":"1","argv":["git","commit"]}
{"event":"child_start","sid":"1","child_id":0,"argv":["git","maintenance","run"]}
{"event":"start","sid":"1/2","argv":["git","maintenance","run"]}
{"event":"child_start","sid":"1","child_id":1,"child_class":"hook","argv":[".git/hooks/post-commit"]}
{"event":"start"}
`
	if n := countStarts([]byte(trace)); n != 4 {
		t.Errorf("counted %d processes, want 4", n)
	}
}
