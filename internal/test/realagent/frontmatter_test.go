//go:build agents

package realagent

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestClaudeFrontmatter observes the keys of skills and definitions that what we ship rests on. Seen with 2.1.330 and 2.1.332:
//   - "allowed-tools" of a skill permits its tools without a question; "allowed_tools" does nothing.
//   - A skill with "context: fork" and "background: false" runs in a conversation of its own, as an agent of the type general-purpose
//     with an agent_id, and its last message comes back as the result of the call.
//   - The "Stop" hook in a definition runs where the directory is trusted, and that of a plug-in's definition never; SubagentStop of the
//     settings runs for each, with agent_type: "x" of a file, "p:x" of a plug-in.
//   - "tools" of a definition are all that its agent has. Task is called Agent there. Glob and Grep are there only without Bash.
func TestClaudeFrontmatter(t *testing.T) {
	m := model(t)
	r := workshop(t, m)
	for name, front := range map[string]string{
		"dash": "allowed-tools: Bash(touch:*)", "under": "allowed_tools: Bash(mkdir:*)",
		"fork": "context: fork\nbackground: false\nallowed-tools: Bash(ln:*)",
	} {
		r.WriteFile(".claude/skills/"+name+"/SKILL.md", fmt.Sprintf("---\nname: %s\ndescription: x\n%s\n---\n\nSKILL-%[1]s\n", name, front))
	}
	definition := func(tools, mark string) string {
		return fmt.Sprintf("---\nname: x\ndescription: x\ntools: %s\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: \"touch %s\"\n---\n\nAGENT-X\n", tools, r.Path("../"+mark))
	}
	r.WriteFile(".claude/agents/x.md", definition("Read, Glob, Grep, Task", "of-file"))
	r.WriteFile("../plugin/.claude-plugin/plugin.json", `{"name": "p", "version": "1.0.0"}`)
	r.WriteFile("../plugin/agents/x.md", definition("Read, Bash, Glob, Grep", "of-plugin"))
	r.WriteFile("../settings.json", `{"hooks": {"SubagentStop": [{"hooks": [{"type": "command", "command": "cat >>`+r.Path("../stops")+`"}]}]}}`)
	r.WriteFile("../home/.claude.json", fmt.Sprintf(`{"projects": {%q: {"hasTrustDialogAccepted": true}}}`, r.Dir))
	start := func(agentType string) move {
		return move{words: "I start it.", tool: "Task", input: object{"description": "x", "subagent_type": agentType, "prompt": "go", "run_in_background": false}}
	}
	use := func(skill string) move {
		return move{words: "I use it.", tool: "Skill", input: object{"skill": skill}}
	}
	moves := []move{use("dash"), {words: "dash", command: "touch dash"}, use("under"), {words: "under", command: "mkdir under"}, use("fork"), start("x"), start("p:x")}
	var tools, results []string
	m.Converse = func(c conversation) move {
		switch {
		case strings.Contains(c.system, "AGENT-X"):
			slices.Sort(c.tools)
			tools = append(tools, strings.Join(c.tools, " "))
			return say("It is done.")
		case strings.Contains(c.text, "SKILL-fork") && !strings.Contains(c.text, "BEGIN"):
			if c.turn == 0 {
				return move{words: "fork", command: "ln -s x fork"}
			}
			return say("The skill is done.")
		case c.turn < len(moves):
			results = append(results, c.last)
			return moves[c.turn]
		}
		return say("All is done.")
	}
	out, err := r.Run("env", "claude", "-p", "BEGIN", "--plugin-dir", filepath.Join(filepath.Dir(r.Dir), "plugin"), "--settings", r.Path("../settings.json"), "--allowedTools", "Task,Skill")
	if err != nil || len(results) != len(moves) || !strings.Contains(results[5], "The skill is done.") {
		t.Fatalf("%v, %d turns: %q\n%s", err, len(results), results, out)
	}
	made, _ := r.Run("sh", "-c", "ls -d dash under fork ../of-*")
	if got := strings.Join(strings.Fields(made), " "); got != "../of-file dash fork" {
		t.Errorf("made %s", got)
	}
	if got := strings.Join(tools, ", "); got != "Agent Glob Grep Read, Bash Read" {
		t.Errorf("the sub-agents have the tools %s", got)
	}
	stops := r.ReadFile("../stops")
	at := 0
	for _, agentType := range []string{"general-purpose", "x", "p:x"} {
		next := strings.Index(stops[at:], `"agent_type":"`+agentType+`"`)
		if next < 0 || !strings.Contains(stops, `"agent_id":"`) {
			t.Fatalf("no stop of %s in %s", agentType, stops)
		}
		at += next
	}
}
