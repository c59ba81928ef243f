//go:build agents

package realagent

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// agentsDir is where `make test-agents` put the agents.
func agentsDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("RALPH_AGENTS")
	if dir == "" {
		t.Skip("RALPH_AGENTS names no directory with agents: run make test-agents")
	}
	return dir
}

// workshop is a repository with a spec, and a user whose only network is the model.
func workshop(t *testing.T, m *Model) *gittest.Repo {
	t.Helper()
	r := gittest.NewRepo(t)
	bin := filepath.Join(filepath.Dir(r.Dir), "bin")
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "git-ralph"), "git-ralph/cmd/git-ralph")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r.Env = append(r.Env, "PATH="+strings.Join([]string{bin, filepath.Join(agentsDir(t), "node_modules", ".bin"), os.Getenv("PATH")}, ":"),
		"ANTHROPIC_BASE_URL="+m.URL, "ANTHROPIC_API_KEY=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
		"GOOGLE_GEMINI_BASE_URL="+m.URL, "GEMINI_API_KEY=none", "GEMINI_CLI_TRUST_WORKSPACE=true",
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1",
	)
	r.WriteFile("ralph/specs/s.md", "# Two files\n\none.txt holds one, two.txt holds two.\n")
	r.Git("add", ".")
	r.Git("commit", "-q", "-m", "spec")
	return r
}

// complete takes the spec through plan, build and verify, and looks at what came of it.
func complete(t *testing.T, r *gittest.Repo, m *Model, agent string) {
	t.Helper()
	for _, args := range [][]string{{"trust", "--yes"}, {"plan", "s.md", "--agent", agent}, {"build", "--agent", agent, "--max-iterations", "5"}} {
		out, err := r.Run("git", append([]string{"ralph"}, args...)...)
		t.Logf("git ralph %s\n%s", strings.Join(args, " "), out)
		if err != nil {
			logs, _ := r.Run("git", "ralph", "logs", "--raw")
			t.Fatalf("%v\nasked %q, others %q\n%s", err, m.Asked(), m.Others(), logs)
		}
	}
	if stage, _ := r.Run("git", "ralph", "query", "stage"); strings.TrimSpace(stage) != "COMPLETE" {
		t.Errorf("the stage is %s", stage)
	}
	if r.ReadFile("one.txt") != "one\n" || r.ReadFile("two.txt") != "two\n" || r.Git("status", "--porcelain") != "" {
		t.Errorf("the work is not there, or not committed: %s", r.Git("status", "--porcelain"))
	}
	log := r.Git("log", "--format=%s%n%b")
	for _, want := range []string{"Write one.txt", "Ralph-Event: done t-one", "Ralph-Event: done t-two", "Ralph-Event: accepted t-one", "Ralph-Event: accepted t-two"} {
		if !strings.Contains(log, want) {
			t.Errorf("no %q in the history", want)
		}
	}
	reported := r.Git("ralph", "log", "--all", "--format", "text")
	for _, id := range []string{"t-one", "t-two"} {
		for _, event := range []string{"added", "done", "accepted"} {
			if n := len(regexp.MustCompile(`(?m)\s`+event+`\s+`+id+`\s`).FindAllString(reported, -1)); n != 1 {
				t.Errorf("the log tells %d times that %s was %s:\n%s", n, id, event, reported)
			}
		}
	}
	journal, err := r.Run("sh", "-c", "cat .git/ralph/runs/*/run.jsonl")
	if err != nil || !strings.Contains(journal, `"tokens": `) {
		t.Errorf("no tokens were read: %v\n%s", err, journal)
	}
	if logs, _ := r.Run("git", "ralph", "logs", "1"); !strings.Contains(logs, "> ") || !strings.Contains(logs, "I write it") {
		t.Errorf("the log is not readable:\n%s", logs)
	}
}

func model(t *testing.T) *Model {
	t.Helper()
	m, err := Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// TestClaude guards: the Claude Code program completes a spec of two tasks with our prompts, and is understood.
func TestClaude(t *testing.T) {
	m := model(t)
	r := workshop(t, m)
	r.Git("config", "ralph.agent.claude.args", "--allowedTools Bash")
	complete(t, r, m, "claude")
}

// TestGemini guards: so does the Gemini program.
func TestGemini(t *testing.T) {
	m := model(t)
	r := workshop(t, m)
	r.Git("config", "ralph.agent.gemini.args", "--yolo")
	r.WriteFile("../home/.gemini/settings.json", `{"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false}, "telemetry": {"enabled": false}, "general": {"disableAutoUpdate": true}}`)
	complete(t, r, m, "gemini")
}

// TestCodex guards: so does the Codex program.
func TestCodex(t *testing.T) {
	m := model(t)
	r := workshop(t, m)
	r.Git("config", "ralph.agent.codex.args", "--dangerously-bypass-approvals-and-sandbox")
	r.WriteFile("../home/.codex/config.toml", `model = "gpt-5"
model_provider = "loopback"
check_for_update_on_startup = false
[model_providers.loopback]
name = "loopback"
base_url = "`+m.URL+`/v1"
env_key = "LOOPBACK_KEY"
wire_api = "responses"
[analytics]
enabled = false
`)
	r.Env = append(r.Env, "LOOPBACK_KEY=none")
	complete(t, r, m, "codex")
}

// TestOpenCode guards: so does the opencode program.
func TestOpenCode(t *testing.T) {
	m := model(t)
	r := workshop(t, m)
	r.WriteFile("../home/.config/opencode/opencode.json", `{"model": "anthropic/claude-sonnet-4-5", "small_model": "anthropic/claude-sonnet-4-5",
"autoupdate": false, "share": "disabled", "permission": "allow",
"provider": {"anthropic": {"options": {"baseURL": "`+m.URL+`/v1", "apiKey": "none"}}}}`)
	r.Env = append(r.Env, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1")
	complete(t, r, m, "opencode")
}
