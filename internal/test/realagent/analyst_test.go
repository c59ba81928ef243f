//go:build agents

package realagent

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"git-ralph/internal/test/gittest"
)

// twoItems are to be researched.
const twoItems = `{"t": "item", "id": "w-aaaa", "number": 42, "name": "Lex it", "state": "Research Needed", "estimate": "S", "created_at": "2026-02-22T10:00:00Z"}
{"t": "item", "id": "w-bbbb", "number": 43, "name": "Parse it", "state": "Research Needed", "estimate": "S", "created_at": "2026-02-22T10:00:01Z"}
`

// planned is a repository with two items and all their tasks, and with both programs.
func planned(t *testing.T, m *Model) *gittest.Repo {
	t.Helper()
	r := workshop(t, m)
	build := exec.Command("go", "build", "-o", filepath.Join(filepath.Dir(r.Dir), "bin", "git-ralph-ui"), "git-ralph/cmd/git-ralph-ui")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r.WriteFile("ralph/plan.jsonl", twoItems)
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "items")
	r.Git("ralph", "pipeline", "plan", "42", "43")
	return r
}

// An analyst is a model of three speakers: a session that starts the sub-agent ralph-analyst, that sub-agent, which keeps to its
// definition, and the skill that it calls.
type analyst struct {
	agentType string // of the sub-agent
	server    string // the prefix of our tools
	first     string // the prompt of the sub-agent

	mu       sync.Mutex
	received []string // what was new to the sub-agent, by turn
	tools    []string // that it had
	skill    []string // what was new to the skill, by turn, of all its calls
}

// newest returns the last match of a pattern's group.
func newest(pattern, text string) string {
	all := regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

func (a *analyst) converse(c conversation) move {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case strings.Contains(c.system, "You are an **ANALYST** of a git ralph team."):
		a.received, a.tools = append(a.received, c.last), c.tools
		return a.work(c)
	case strings.Contains(c.text, "# Research an item"):
		a.skill = append(a.skill, c.last)
		item := newest(`The item: (GH-\d+)\.`, c.text)
		if c.turn == 0 {
			return move{words: "I write it.", tool: "Write", input: object{"file_path": newest(`Primary working directory: (\S+)`, c.system+c.text) + "/thoughts/shared/research/" + item + ".md", "content": "# Findings\n"}}
		}
		return say("Artifact thoughts/shared/research/" + item + ".md, files " + item + ".go.")
	case c.turn == 0: // in the foreground, so that the session waits for it
		return move{words: "I start it.", tool: "Task", input: object{"description": "work", "subagent_type": a.agentType, "prompt": a.first, "run_in_background": false}}
	}
	return say("The team is done.")
}

// analystTurns is how often the sub-agent speaks for one task.
const analystTurns = 7

// work is the loop of the definition. The first task is named, later ones are found.
func (a *analyst) work(c conversation) move {
	id := newest(`"id":"(t-w-[a-z]+-research)","name":"[^"]*","token"`, c.text)
	token := newest(`"token":"([a-z0-9]+)"`, c.text)
	item := map[string]string{"t-w-aaaa-research": "GH-42", "t-w-bbbb-research": "GH-43"}[id]
	call := func(tool string, input object) move {
		return move{words: "I call " + tool + ".", tool: a.server + tool, input: input}
	}
	switch c.turn % analystTurns {
	case 0:
		if c.turn == 0 {
			return call("claim", object{"op": "take", "ids": []string{newest(`Task (t-w-[a-z]+-research), for the analyst`, c.text)}})
		}
		if c.turn > analystTurns {
			return say("Nothing is left.")
		}
		return call("claim", object{"op": "next", "role": "analyst"})
	case 1:
		return call("claim", object{"op": "list", "ids": []string{id}, "claim": token})
	case 2:
		return call("show", object{"id": id})
	case 3:
		return move{words: "I research it.", tool: "Skill", input: object{"skill": "ralph-research", "args": item}}
	case 4:
		return move{words: "I commit it.", command: "git add thoughts && git commit -qm 'Research " + item + "'"}
	case 5:
		return call("task_change", object{"op": "done", "ids": []string{id}, "claim": token, "artifact": "thoughts/shared/research/" + item + ".md", "files": []string{item + ".go"}})
	}
	return say("I reported " + item + ".")
}

// TestClaudeAnalyst guards: ralph-analyst runs as a sub-agent of the real program, from the exported plug-in and from the files that are
// installed. It claims the task that its first message names, verifies the claim, has the skill do it, and reports; its role's stop hook
// keeps it from stopping while a task of its role is left, and lets it stop once none is. Meanwhile the plan's tasks of other roles wait.
//
// Seen with 2.1.330 and 2.1.332:
//   - The reason of a block comes back to the sub-agent as "Stop hook feedback", and its next turn follows.
//   - The skill sees nothing of its caller's conversation, and has the tools that the sub-agent has.
//   - Without "run_in_background": false the session learns at once that the sub-agent runs, and again when it ends.
func TestClaudeAnalyst(t *testing.T) {
	for _, row := range []struct{ name, agentType, server string }{
		{"plug-in", "git-ralph:ralph-analyst", "mcp__plugin_git-ralph_git-ralph__"},
		{"installed", "ralph-analyst", "mcp__git-ralph__"},
	} {
		t.Run(row.name, func(t *testing.T) {
			m := model(t)
			r := planned(t, m)
			more := []string{"--allowedTools", "Task,Skill,Bash,Write," + strings.TrimSuffix(row.server, "__")}
			if row.name == "plug-in" {
				dir := filepath.Join(filepath.Dir(r.Dir), "plugin")
				r.Git("ralph", "agent", "export", dir)
				if out, err := r.Run("env", "claude", "plugin", "validate", "--strict", dir); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
				more = append(more, "--plugin-dir", dir)
			} else {
				r.Git("ralph", "agent", "install", "claude", "--project")
				r.Git("add", ".")
				r.Git("commit", "-q", "-m", "agents")
				more = append(more, "--mcp-config", ".mcp.json") // which the user of a terminal is asked about
			}
			a := &analyst{agentType: row.agentType, server: row.server, first: r.Git("ralph", "agent", "spawn", "t-w-aaaa-research")}
			m.Converse = a.converse
			out := claude(t, r, claudeSession, "Begin.", more...)
			a.check(t, out)
			checkResearched(t, r)
		})
	}
}

// check looks at what the sub-agent and the skill got to see.
func (a *analyst) check(t *testing.T, out string) {
	t.Helper()
	if len(a.received) != 2*analystTurns || len(a.skill) != 4 {
		t.Fatalf("%d turns of the sub-agent, %d of the skill\n%s\n%s", len(a.received), len(a.skill), strings.Join(a.received, "\n---\n"), out)
	}
	for turn, want := range map[int]string{
		0: "Research GH-42: Lex it.", 1: `"claimed":[{"id":"t-w-aaaa-research"`, 2: `"own":true`, 3: `"issue_number":42`, 4: "files GH-42.go", 6: `"committed":true`,
		7: "Pending tasks exist for your role.", 8: `"claimed":[{"id":"t-w-bbbb-research"`, 9: `"own":true`, 11: "files GH-43.go", 13: `"committed":true`,
	} {
		if !strings.Contains(strings.ReplaceAll(a.received[turn], `": `, `":`), want) {
			t.Errorf("turn %d has no %q\n%s", turn, want, a.received[turn])
		}
	}
	for _, tool := range []string{"claim", "task_change", "show", "pipeline", "issue_change", "query", "log"} {
		if !slices.Contains(a.tools, a.server+tool) {
			t.Errorf("the sub-agent has no %s: %v", tool, a.tools)
		}
	}
	for _, tool := range []string{a.server + "verify", "Edit"} { // what is not listed is not there
		if slices.Contains(a.tools, tool) {
			t.Errorf("the sub-agent has %s", tool)
		}
	}
	if strings.Contains(a.skill[0], "Task t-w-aaaa-research") {
		t.Errorf("the skill sees its caller's conversation: %s", a.skill[0])
	}
}

// checkResearched looks at what came of two researches, and at how often the hook blocked.
func checkResearched(t *testing.T, r *gittest.Repo) {
	t.Helper()
	items := r.Git("ralph", "item", "list")
	for _, want := range []string{`"state": "Ready for Plan"`, `"files": ["GH-42.go"]`, `"files": ["GH-43.go"]`, "thoughts/shared/research/GH-43.md"} {
		if !strings.Contains(strings.ReplaceAll(items, `":"`, `": "`), want) && !strings.Contains(strings.ReplaceAll(items, `":[`, `": [`), want) {
			t.Errorf("no %s in %s", want, items)
		}
	}
	next := r.Git("ralph", "query", "next", "--json")
	if !strings.Contains(next, "t-w-aaaa-plan") {
		t.Errorf("next is %s", next)
	}
	journal := r.ReadFile(".git/ralph/agent-hooks.jsonl")
	if n := strings.Count(journal, `"text": "Pending tasks exist for your role."`); n != 1 || strings.Contains(journal, `"t": "error"`) {
		t.Errorf("blocked %d times\n%s", n, journal)
	}
	if claims := r.Git("for-each-ref", "refs/ralph/"); claims != "" {
		t.Errorf("claims are left: %s", claims)
	}
}
