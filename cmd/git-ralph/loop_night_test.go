//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// night is a plan of n tasks, each of which waits for one before it, some for two.
func night(n int) string {
	var b strings.Builder
	b.WriteString(`{"t": "spec", "spec": "s.md"}` + "\n")
	for i := range n {
		deps := ""
		if i > 0 {
			deps = fmt.Sprintf(`"deps": ["t-n%d", "t-n%d"], `, i/2, i-1)
		}
		fmt.Fprintf(&b, `{"t": "task", "id": "t-n%d", "spec": "s.md", "name": "task %d", %s"s": "p", "created_at": "2026-01-01T00:00:00.%03dZ"}`+"\n", i, i, deps, i)
	}
	return b.String()
}

// TestNightOfKills guards: a run over many tasks with rejections and kills ends COMPLETE; that its loop is killed on the
// way, at any moment, loses nothing and repeats nothing. It has few tasks, or as many as RALPH_NIGHT says.
func TestNightOfKills(t *testing.T) {
	t.Parallel()
	tasks := 30
	if text := os.Getenv("RALPH_NIGHT"); text != "" {
		if _, err := fmt.Sscan(text, &tasks); err != nil {
			t.Fatal(err)
		}
	}
	w := newWorkshop(t, `BUILD t-n3
  stubborn
  sleep 60s
DECOMPOSE t-n3
  report {"tasks": [{"id": "t-n3a", "name": "first"}, {"id": "t-n3b", "name": "second", "deps": ["t-n3a"]}]}
always DECOMPOSE
  report {"tasks": [{"name": "again"}, {"name": "and again"}]}
VERIFY
  pass t-n1 the first time is never right
VERIFY
  pass t-n2 nor the second
always BUILD
  write {id}.txt {id}
  report {"verdict": "done", "files": ["{id}.txt"]}
always VERIFY
  pass
`)
	w.Git("config", "ralph.build.timeLimit", "12s") // that of the others too, which take longer on a busy machine
	w.Git("config", "ralph.grace", "50ms")
	w.WriteFile("ralph/plan.jsonl", night(tasks))
	w.Git("commit", "-q", "-a", "-m", "plan")
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range tasks/10 + 3 {
		b := w.build("--max-iterations", "0", "--commit-plan")
		time.Sleep(time.Duration(20+random.IntN(600)) * time.Millisecond)
		b.Process.Kill()
		b.Wait() //nolint:errcheck // killed
	}
	b := w.build("--max-iterations", "0", "--commit-plan")
	if code := b.code(); code != 0 && code != 3 {
		t.Fatalf("exit code %d\n%s", code, &b.out)
	}
	w.checkNight(tasks)
}

// checkNight looks at what a night left.
func (w *workshop) checkNight(tasks int) {
	w.t.Helper()
	if got := w.ralph("query", "stage"); got != "COMPLETE\n" {
		w.t.Errorf("the stage is %s", got)
	}
	accepted := map[string]int{}
	for _, event := range reportedEvents(w.ralph("log", "--all", "--format", "text")) {
		if rest, found := strings.CutPrefix(event, "accepted "); found {
			id, _, _ := strings.Cut(rest, " ")
			accepted[id]++
		}
	}
	for i := range tasks {
		if id := fmt.Sprintf("t-n%d", i); accepted[id] != 1 && i != 3 {
			w.t.Errorf("%s was accepted %d times", id, accepted[id])
		}
		if i == 3 {
			continue // cut up
		}
		if _, err := os.Stat(filepath.Join(w.Dir, fmt.Sprintf("t-n%d.txt", i))); err != nil {
			w.t.Error(err)
		}
	}
	w.Git("fsck", "--strict")
	if left := w.Git("status", "--porcelain"); left != "" {
		w.t.Errorf("left %s", left)
	}
	for _, name := range []string{".git/index.lock", ".git/ralph/agent.json", ".git/ralph/commit.json"} {
		if w.Exists(name) {
			w.t.Errorf("%s is left", name)
		}
	}
}
