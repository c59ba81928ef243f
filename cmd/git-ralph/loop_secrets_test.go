//go:build unix

package main

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/test/masktest"
)

// TestSecretsReachNothing guards: an agent puts every kind of secret, and control characters, into every field that it can
// fill, by its report, by commands, by hand and by what it prints. None is in a commit, in the journal or on the screen.
func TestSecretsReachNothing(t *testing.T) {
	t.Parallel()
	texts := slices.Sorted(maps.Keys(masktest.Secrets()))
	everything := "\x1b[31mred\a \u202e" + strings.Join(texts, " | ")
	quoted, err := json.Marshal(everything)
	if err != nil {
		t.Fatal(err)
	}
	scenario := strings.ReplaceAll(`BUILD t-one
  cat ../secrets.txt
  run cat ../secrets.txt
  run git ralph task edit t-one --notes "$(cat ../secrets.txt)"
  run git ralph task edit t-two --name "$(tr '\n' ' ' < ../secrets.txt)" --accept "$(cat ../secrets.txt)"
  run git ralph issue add - < ../issue.json
  run cat ../issue-line >> ralph/plan.jsonl
  write one.txt one
  run git add one.txt
  report {"verdict": "done", "summary": SECRETS, "issues": [SECRETS], "files": ["one.txt", SECRETS]}
BUILD t-two
  run echo two > two.txt; git add two.txt; git ralph task done t-two --with-staged -m "$(cat ../secrets.txt)"
BUILD t-three
  report {"verdict": "blocked", "reason": SECRETS}
BUILD t-four
  report {"verdict": "done", "summary": "x"}
BUILD t-five
  run cat ../secrets.txt
  exit 3
BUILD t-five
  run git commit -q --allow-empty -m five; echo five > five.txt; git add five.txt; git commit -q -m five
BUILD t-five
  report {"verdict": SECRETS}
BUILD t-five
  run git ralph task kill t-five timeout
DECOMPOSE
  report {"tasks": [{"name": SECRETS, "notes": SECRETS, "accept": SECRETS}]}
always BUILD
  run git ralph task done {id}
VERIFY
  run git ralph task reject t-four "$(cat ../secrets.txt)"
  report {"results": [{"task_id": "t-one", "passed": false, "reason": SECRETS}], "new_tasks": [{"name": SECRETS, "notes": SECRETS, "accept": SECRETS}]}
INVESTIGATE
  report {"tasks": [{"name": SECRETS, "notes": SECRETS}], "resolved": [{"issue_id": "i-none", "reason": SECRETS}]}
always INVESTIGATE
  run git ralph issue done --all
always VERIFY
  pass
`, "SECRETS", string(quoted))
	w := newWorkshop(t, scenario, "one", "two", "three", "four", "five")
	w.WriteFile("../secrets.txt", everything+"\n")
	w.WriteFile("../issue.json", `{"desc": `+string(quoted)+`, "labels": [`+string(quoted)+`], "meta": {"x": `+string(quoted)+`}}`)
	w.WriteFile("../issue-line", `{"t": "issue", "id": "i-hand", "spec": "s.md", "desc": `+string(quoted)+`, "x": {"y": [`+string(quoted)+`]}, "created_at": "2026-01-01T00:00:00.000Z"}`+"\n")
	b := w.build("--max-iterations", "16")
	code := b.code()
	recorded := map[string]string{
		"the screen":  b.out.String(),
		"the commits": w.Git("log", "--all", "--root", "-p", "--text", "--format=%an %B"),
		"the plan":    w.ReadFile("ralph/plan.jsonl"),
		"the log":     w.ralph("log", "--all") + w.ralph("status") + w.ralph("logs", "1"),
		"the journal": w.readAll(filepath.Join(w.Dir, ".git", "ralph", "runs")),
	}
	for place, text := range recorded {
		for form, secret := range masktest.Secrets() {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%s has %q of %q: …%q…", place, secret, form, text[max(at-60, 0):min(at+60, len(text))])
			}
		}
		if strings.ContainsAny(text, "\x1b\a\u202e") || strings.Contains(text, `\u001b`) && (place == "the plan" || place == "the commits") {
			at := strings.IndexAny(text, "\x1b\a\u202e")
			t.Errorf("%s has control characters: %q", place, text[max(at-60, 0):max(at+20, 0)])
		}
	}
	for _, field := range []string{"rejected", "blocked", "i-hand", "red", "SG.***", "created_from"} {
		if !strings.Contains(recorded["the commits"], field) && field != "created_from" {
			t.Errorf("no commit has %q: the agent could not fill it", field)
		}
	}
	t.Logf("exit code %d, %d formats\n%s", code, len(texts), &b.out)
}

// TestSecretsInCommitsOfAgentsAreReported guards: a commit that the agent made around us, with a secret in its message or in the
// plan, is named; another one is not.
func TestSecretsInCommitsOfAgentsAreReported(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, `BUILD t-one
  run git commit -q --allow-empty -m 'plain words'
  run git commit -q --allow-empty -m 'use password=hunter22pw'; git tag message
  run env -u GIT_RALPH_RUN git ralph task edit t-one --notes 'password=hunter23pw'; git tag plan
  run git ralph task edit t-one --notes 'token=ghp_`+strings.Repeat("Ab1", 12)+`'
  run git ralph task done t-one
always VERIFY
  pass
`, "one")
	b := w.build()
	if code := b.code(); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &b.out)
	}
	if n := strings.Count(b.out.String(), "contains what looks like a secret"); n != 2 {
		t.Errorf("%d commits are named\n%s", n, &b.out)
	}
	for _, tag := range []string{"message", "plan"} {
		if id := strings.TrimSpace(w.Git("rev-parse", tag)); !strings.Contains(b.out.String(), "the commit "+id[:12]) {
			t.Errorf("%s is not named\n%s", tag, &b.out)
		}
	}
}

// readAll returns what all files below a directory hold.
func (w *workshop) readAll(dir string) string {
	w.t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all.Write(data)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return all.String()
}
