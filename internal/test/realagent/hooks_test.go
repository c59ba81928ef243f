//go:build agents

package realagent

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"git-ralph/internal/test/gittest"
)

const threeTasks = `---
id: WP-1
title: Three words
status: active
---

# Task: First

` + "```task\nid: T01\nstatus: todo\n```\n\n# Task: Second\n\n```task\nid: T02\nstatus: todo\npriority: high\n```\n\n# Task: Third\n\n```task\nid: T03\nstatus: todo\n```\n"

// connected is a repository with a workplan of three tasks, and git ralph connected with an agent.
func connected(t *testing.T, m *Model, agent string) *gittest.Repo {
	t.Helper()
	r := workshop(t, m)
	bin := filepath.Join(filepath.Dir(r.Dir), "bin")
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "git-ralph-workplan-parser"), "git-ralph/cmd/git-ralph-workplan-parser")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r.WriteFile("work.md", threeTasks)
	r.Git("ralph", "agent", "install", agent)
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "workplan")
	return r
}

// A player is a model that makes one move a turn, and remembers the prompts that it got.
type player struct {
	moves []move
	mu    sync.Mutex
	seen  []string // what was new in the conversation, by turn
}

func (p *player) play(text string, turn int) move {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.seen) <= turn {
		p.seen = append(p.seen, "")
	}
	p.seen[turn] = text
	if turn >= len(p.moves) {
		return move{words: "I have nothing more to say."}
	}
	return p.moves[turn]
}

// turns returns how often the model was asked.
func (p *player) turns() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.seen)
}

// startLoop is the first move of an agent that follows the skill.
func startLoop(session, arguments string) move {
	return move{words: "I start the loop.", command: fmt.Sprintf(`git ralph workplan loop start --session "%s" %s`, session, arguments)}
}

// onPath is for programs that run commands in a login shell, as codex does.
const onPath = `PATH="$PWD/../bin:$PATH"`

// do is what an honest agent does with a task.
func do(id string) move {
	return move{words: "I do " + id + ".", command: fmt.Sprintf("%[1]s git ralph workplan start-task work.md %[2]s && echo %[2]s >>words.txt && %[1]s git ralph workplan done-task work.md %[2]s", onPath, id)}
}

func say(words string) move { return move{words: words} }

// loops returns what `loop status` prints.
func loops(r *gittest.Repo) string {
	return strings.TrimSpace(r.Git("ralph", "workplan", "loop", "status"))
}

const (
	claudeSession = "5c5c5c5c-0000-4000-8000-000000000001"
	otherSession  = "5c5c5c5c-0000-4000-8000-000000000002"
)

// claude runs the program on a prompt.
func claude(t *testing.T, r *gittest.Repo, session, prompt string, more ...string) string {
	t.Helper()
	args := append([]string{"claude", "-p", prompt, "--session-id", session, "--allowedTools", "Bash", "--output-format", "stream-json", "--verbose"}, more...)
	out, err := r.Run("env", args...) // which looks for it on the PATH of the repository
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return out
}

// TestClaudeWorkplan guards: /ralph-workplan on a file of three tasks in the real program reaches HEUREKA and ends on that very turn; a
// false promise is answered with the fact that is missing; another session in the same directory is not touched.
func TestClaudeWorkplan(t *testing.T) {
	m := model(t)
	r := connected(t, m, "claude")
	p := &player{moves: []move{
		startLoop(claudeSession, "work.md"), do("T02"), say("T02 is done."),
		say("All is done. <promise>HEUREKA</promise>"), // a lie
		do("T01"), say("T01 is done."), do("T03"), say("T03 is done."),
		{words: "I close it.", command: "git ralph workplan close work.md"},
		say("<promise>HEUREKA</promise>"),
	}}
	m.Script = p.play
	out := claude(t, r, claudeSession, "/ralph-workplan work.md")
	if p.turns() != len(p.moves) {
		t.Errorf("%d turns, want %d\n%s", p.turns(), len(p.moves), out)
	}
	for turn, want := range map[int]string{
		0: `git ralph workplan loop start --session "` + claudeSession + `" work.md`, 1: "Next task: T02", 3: "Next task: T01",
		4: "The workplan is not done: 2 of 3 tasks are not done: T01 (todo), T03 (todo)", 6: "Next task: T03", 8: "Every task is done",
	} {
		if turn < len(p.seen) && !strings.Contains(p.seen[turn], want) {
			t.Errorf("turn %d has no %q\n%s", turn, want, p.seen[turn])
		}
	}
	if r.ReadFile("words.txt") != "T02\nT01\nT03\n" || loops(r) != "[]" || !strings.Contains(r.ReadFile("work.md"), "status: done\n---") {
		t.Errorf("%s %s\n%s", r.ReadFile("words.txt"), loops(r), r.ReadFile("work.md"))
	}
}

// TestClaudeWorkplanEnds guards: the limit, loop stop and a deleted file end the loop in the real program, which then stops; a second
// session in the directory stops as it would without a loop.
func TestClaudeWorkplanEnds(t *testing.T) {
	for _, row := range []struct {
		name, arguments string
		moves           []move
		want            string // in the journal
	}{
		{"max", "work.md --max-iterations 2", []move{do("T02"), say("done"), do("T01"), say("done")}, "limit of 2 iterations"},
		{"stop", "work.md", []move{{words: "The user wants to end it.", command: "git ralph workplan loop stop --session " + claudeSession}, say("ended")}, "loop stop"},
		{"gone", "work.md", []move{{words: "Away with it.", command: "rm work.md"}, say("gone")}, "is gone"},
		{"idle", "work.md", []move{say("I think."), say("I think."), say("I think.")}, "3 iterations changed neither"},
	} {
		t.Run(row.name, func(t *testing.T) {
			m := model(t)
			r := connected(t, m, "claude")
			p := &player{moves: append([]move{startLoop(claudeSession, row.arguments)}, row.moves...)}
			m.Script = p.play
			out := claude(t, r, claudeSession, "/ralph-workplan "+row.arguments)
			if p.turns() != len(p.moves) || loops(r) != "[]" {
				t.Errorf("%d turns, want %d; %s\n%s", p.turns(), len(p.moves), loops(r), out)
			}
			if journal := r.ReadFile(".git/ralph/agent-hooks.jsonl"); !strings.Contains(journal, row.want) {
				t.Errorf("no %q in\n%s", row.want, journal)
			}
		})
	}
}

// TestClaudeOtherSession guards: a session beside one with a loop is never touched; the one with the loop goes on after a crash, when it
// is resumed.
func TestClaudeOtherSession(t *testing.T) {
	m := model(t)
	r := connected(t, m, "claude")
	r.Git("ralph", "workplan", "loop", "start", "work.md", "--session", claudeSession)
	other := &player{moves: []move{say("Hello.")}}
	m.Script = other.play
	claude(t, r, otherSession, "Say hello.")
	if other.turns() != 1 || !strings.Contains(loops(r), `"iteration": 1`) {
		t.Errorf("%d turns, %s", other.turns(), loops(r))
	}
	p := &player{moves: []move{say("Hello."), do("T02"), say("done"), do("T01"), say("done"), {words: "Stop.", command: "git ralph workplan loop stop --session " + claudeSession}, say("ended")}}
	m.Script = p.play
	claude(t, r, claudeSession, "Say hello.")
	if p.turns() != len(p.moves) || loops(r) != "[]" {
		t.Errorf("%d turns, %s", p.turns(), loops(r))
	}
}

// TestClaudeCrash guards: a session that was killed goes on with its loop when it is resumed, also after a /compact.
func TestClaudeCrash(t *testing.T) {
	m := model(t)
	r := connected(t, m, "claude")
	killed := &player{moves: []move{startLoop(claudeSession, "work.md"), do("T02"), {words: "Oops.", command: "kill -9 $PPID"}}}
	m.Script = killed.play
	out, err := r.Run("env", "claude", "-p", "/ralph-workplan work.md", "--session-id", claudeSession, "--allowedTools", "Bash")
	if err == nil || !strings.Contains(loops(r), claudeSession) {
		t.Fatalf("it was not killed, or its loop is gone: %s\n%s", loops(r), out)
	}
	m.Script = func(string, int) move { return say("<summary>We work on a workplan.</summary>") }
	if out, err := r.Run("env", "claude", "-p", "/compact", "--resume", claudeSession); err != nil || !strings.Contains(loops(r), claudeSession) {
		t.Errorf("/compact: %v, %s\n%s", err, loops(r), out)
	}
	next := 0
	moves := []move{say("Here I am."), do("T01"), say("done"), do("T03"), say("done"), {words: "I close it.", command: "git ralph workplan close work.md"}, say("<promise>HEUREKA</promise>")}
	m.Script = func(string, int) move {
		next++
		return moves[min(next, len(moves))-1]
	}
	out, err = r.Run("env", "claude", "-p", "Go on.", "--resume", claudeSession, "--allowedTools", "Bash")
	if err != nil || next != len(moves) || loops(r) != "[]" || r.ReadFile("words.txt") != "T02\nT01\nT03\n" {
		t.Errorf("%d turns, %s, %v\n%s", next, loops(r), err, out)
	}
}

// TestClaudeWithoutProgram guards: where the settings of a repository name our hooks and git ralph is not installed, the agent is not
// disturbed.
func TestClaudeWithoutProgram(t *testing.T) {
	m := model(t)
	r := connected(t, m, "claude")
	r.Remove("../bin/git-ralph")
	p := &player{moves: []move{{words: "I write.", command: "echo x >x"}, say("Hello.")}}
	m.Script = p.play
	if out := claude(t, r, claudeSession, "Say hello."); p.turns() != 2 || strings.Contains(out, "git-ralph: ") {
		t.Errorf("%d turns\n%s", p.turns(), out)
	}
}

// TestClaudeBlockCap observes how often the program lets a hook block in a row: 8 times without the use of a tool, and without a limit
// where each turn uses one.
func TestClaudeBlockCap(t *testing.T) {
	for _, row := range []struct {
		name string
		work bool
		want int // blocks
	}{{"without tools", false, 8}, {"with tools", true, 15}} {
		t.Run(row.name, func(t *testing.T) {
			m := model(t)
			r := connected(t, m, "claude")
			r.WriteFile("hook.sh", "cat >/dev/null\necho x >>.git/blocks\n[ $(wc -l <.git/blocks) -gt 15 ] || echo '{\"decision\": \"block\", \"reason\": \"go on\"}'\n")
			r.WriteFile(".claude/settings.json", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "sh hook.sh"}]}]}}`)
			m.Script = func(_ string, turn int) move {
				if row.work && turn%2 == 0 {
					return move{words: "I look.", command: "true"}
				}
				return say("Done.")
			}
			out := claude(t, r, claudeSession, "Begin.")
			blocks := strings.Count(r.ReadFile(".git/blocks"), "x")
			t.Logf("stops: %d", blocks)
			if blocks != row.want+1 {
				t.Errorf("%d stops, want %d\n%s", blocks, row.want+1, out)
			}
		})
	}
}

// TestClaudePlugin guards: what is exported is valid for the program, and works as a plug-in; beside an installation each hook runs
// once.
func TestClaudePlugin(t *testing.T) {
	for _, skill := range []string{"/git-ralph:ralph-workplan", "/ralph-workplan"} {
		t.Run(skill[1:], func(t *testing.T) {
			m := model(t)
			r := connected(t, m, "claude")
			if strings.Contains(skill, ":") {
				r.Git("ralph", "agent", "uninstall", "claude")
			}
			dir := filepath.Join(filepath.Dir(r.Dir), "plugin")
			r.Git("ralph", "agent", "export", dir)
			if out, err := r.Run("env", "claude", "plugin", "validate", "--strict", dir); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			p := &player{moves: []move{startLoop(claudeSession, "work.md --max-iterations 2"), do("T02"), say("done"), do("T01"), say("done")}}
			m.Script = p.play
			out := claude(t, r, claudeSession, skill+" work.md --max-iterations 2", "--plugin-dir", dir)
			if p.turns() != len(p.moves) || loops(r) != "[]" {
				t.Errorf("%d turns, %s\n%s", p.turns(), loops(r), out)
			}
		})
	}
}

// settleHooks gives the user the settings with which an agent talks to the model, and trusts the repository.
func settleHooks(r *gittest.Repo, m *Model, agent string) {
	settle(r, m)
	if agent == "opencode" {
		r.WriteFile("../home/.config/opencode/opencode.json", `{"model": "anthropic/claude-sonnet-4-5", "small_model": "anthropic/claude-sonnet-4-5",
"autoupdate": false, "share": "disabled", "permission": "allow", "provider": {"anthropic": {"options": {"baseURL": "`+m.URL+`/v1", "apiKey": "none"}}}}`)
		r.Env = append(r.Env, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1")
	}
}

// programs are the other agents, as they are run on a prompt.
func programs() map[string][]string {
	return map[string][]string{
		"codex":    {"codex", "exec", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", "Begin."},
		"gemini":   {"gemini", "--yolo", "-p", "Begin."},
		"opencode": {"opencode", "run", "Begin."},
	}
}

// TestOtherAgentsHooks guards: in the other programs the hooks fire. The session begins with the primer, and a role is kept from
// stopping once. opencode run does not wait for what its plug-ins do when a session is idle: there, the answer is in the journal.
func TestOtherAgentsHooks(t *testing.T) {
	for agent, command := range programs() {
		t.Run(agent, func(t *testing.T) {
			m := model(t)
			r := connected(t, m, agent)
			settleHooks(r, m, agent)
			r.Git("ralph", "init", "--spec", "s.md", "--no-install", "--yes")
			r.Git("ralph", "task", "add", "One")
			r.Env = append(r.Env, "GIT_RALPH_ROLE=builder")
			p := &player{moves: []move{say("Hello."), say("Good bye.")}}
			m.Script = p.play
			out, err := r.Run("env", command...)
			journal, _ := r.Run("cat", ".git/ralph/agent-hooks.jsonl")
			if err != nil || !strings.Contains(journal, "Pending tasks exist for your role.") {
				t.Errorf("%d turns, %v\n%s\n%s", p.turns(), err, out, journal)
			}
			if agent != "opencode" && (p.turns() != 2 || !strings.Contains(p.seen[1], "Pending tasks exist for your role.")) {
				t.Errorf("%d turns: %q", p.turns(), p.seen)
			}
			if agent != "opencode" && !strings.Contains(p.seen[0], "The plan of this repository: git ralph") {
				t.Errorf("no primer in %q", p.seen[0])
			}
		})
	}
}

// TestOtherAgentsServer guards: the programs see the MCP server that was installed for them.
func TestOtherAgentsServer(t *testing.T) {
	for agent, command := range map[string][]string{"codex": {"codex", "mcp", "get", "git-ralph"}, "opencode": {"opencode", "mcp", "list"}} {
		t.Run(agent, func(t *testing.T) {
			m := model(t)
			r := connected(t, m, agent)
			settleHooks(r, m, agent)
			r.WriteFile("../home/.codex/config.toml", "[projects.\""+r.Dir+"\"]\ntrust_level = \"trusted\"\n")
			if out, err := r.Run("env", command...); err != nil || !strings.Contains(strings.ReplaceAll(out, "args: mcp", "git-ralph mcp"), "git-ralph mcp") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestOtherAgentsWorkplan guards: a loop feeds codex and gemini the next task, in the session that their commands name.
func TestOtherAgentsWorkplan(t *testing.T) {
	for _, agent := range []string{"codex", "gemini"} {
		t.Run(agent, func(t *testing.T) {
			m := model(t)
			r := connected(t, m, agent)
			settleHooks(r, m, agent)
			r.Git("config", "user.name", "A") // gemini keeps variables of git from its commands
			r.Git("config", "user.email", "a@example.com")
			p := &player{moves: []move{
				{words: "I start.", command: onPath + " git ralph workplan loop start work.md --max-iterations 3"},
				do("T02"), say("T02 is done."),
				do("T01"), say("T01 is done."), do("T03"), say("T03 is done."),
			}}
			m.Script = p.play
			out, err := r.Run("env", programs()[agent]...)
			journal, _ := r.Run("cat", ".git/ralph/agent-hooks.jsonl")
			if words, _ := r.Run("cat", "words.txt"); err != nil || words != "T02\nT01\nT03" || loops(r) != "[]" || !strings.Contains(journal, "limit of 3 iterations") {
				t.Errorf("%q, loops %s, %d turns, %v\n%s\n%s", words, loops(r), p.turns(), err, out, journal)
			}
		})
	}
}
