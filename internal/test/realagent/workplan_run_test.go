//go:build agents

package realagent

import (
	"regexp"
	"strings"
	"sync"
	"testing"
)

// TestClaudeWorkplanRun guards: `workplan run` takes a file of three tasks to HEUREKA with a new process of the real program for each. A
// false promise is answered with the fact that is missing, and the hooks that are installed for sessions stay out of it.
func TestClaudeWorkplanRun(t *testing.T) {
	m := model(t)
	r := connected(t, m, "claude")
	r.Git("config", "ralph.agent.claude.args", "--allowedTools Bash")
	r.Git("ralph", "trust", "--yes")
	next := regexp.MustCompile(`Next task: (T0\d) `)
	var mu sync.Mutex
	var prompts []string
	m.Script = func(text string, turn int) move {
		mu.Lock()
		defer mu.Unlock()
		found := next.FindStringSubmatch(text)
		switch {
		case turn == 0 && found != nil:
			prompts = append(prompts, text)
			return do(found[1])
		case turn == 1 && strings.Contains(text, "every task is done"):
			return move{words: "I close it.", command: "git add words.txt && git commit -qm words && git ralph workplan close work.md"}
		}
		return say("All is done. <promise>HEUREKA</promise>") // a lie, until the last task
	}
	out, err := r.Run("git", "ralph", "workplan", "run", "work.md", "--agent", "claude")
	if err != nil || !strings.Contains(out, "\ncomplete\n3 iterations · 3 done, ") {
		logs, _ := r.Run("git", "ralph", "logs", "--raw")
		t.Fatalf("%v\n%s\n%s", err, out, logs)
	}
	if len(prompts) != 3 {
		t.Fatalf("%d prompts: %q", len(prompts), prompts)
	}
	for i, missing := range []string{"", "2 of 3 tasks are not done: T01 (todo), T03 (todo)", "1 of 3 tasks are not done: T03 (todo)"} {
		if hasAnswer := strings.Contains(prompts[i], "What was wrong with the former answer"); hasAnswer != (missing != "") || !strings.Contains(prompts[i], missing) {
			t.Errorf("prompt %d: %s", i+1, prompts[i])
		}
	}
	if r.ReadFile("words.txt") != "T02\nT01\nT03\n" || !strings.Contains(r.ReadFile("work.md"), "status: done\n---") || r.Git("status", "--porcelain") != "" {
		t.Errorf("%s\n%s\n%s", r.ReadFile("words.txt"), r.ReadFile("work.md"), r.Git("status"))
	}
}
