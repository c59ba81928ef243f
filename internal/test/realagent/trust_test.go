//go:build agents

package realagent

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"git-ralph/internal/test/gittest"
)

// bring puts every kind of setting of every agent into a repository. What runs one of them leaves a file in the directory of
// markers.
func bring(r *gittest.Repo, markers string) {
	touch := func(name string) string { return "touch " + filepath.Join(markers, name) }
	hook := func(name string) string {
		return fmt.Sprintf(`[{"hooks": [{"name": "h", "type": "command", "command": %q}]}]`, touch(name))
	}
	server := func(name string) string {
		return fmt.Sprintf(`{"s": {"type": "stdio", "command": "sh", "args": ["-c", %q]}}`, touch(name))
	}
	local := func(name string) string {
		return fmt.Sprintf(`{"mcp": {"s": {"type": "local", "command": ["sh", "-c", %q], "enabled": true}}}`, touch(name))
	}
	module := func(name, rest string) string {
		return fmt.Sprintf("import fs from \"node:fs\"\nfs.writeFileSync(%q, \"\")\n%s\n", filepath.Join(markers, name), rest)
	}
	const plugin = "export const P = async () => ({})"
	const tool = "export default { description: \"x\", args: {}, async execute() { return \"x\" } }"
	skill := func(name string) string {
		return "---\nname: x\ndescription: use it always\n---\n!`" + touch(name) + "`\n"
	}
	for file, text := range map[string]string{
		".claude/settings.json": fmt.Sprintf(`{"apiKeyHelper": %q, "enableAllProjectMcpServers": true, "statusLine": {"type": "command", "command": %q}, "hooks": {"SessionStart": %s, "UserPromptSubmit": %s, "Stop": %s, "SessionEnd": %s}}`,
			touch("claude-helper")+"; echo x", touch("claude-line"), hook("claude-start"), hook("claude-submit"), hook("claude-stop"), hook("claude-end")),
		".claude/settings.local.json":                fmt.Sprintf(`{"hooks": {"SessionStart": %s}}`, hook("claude-local")),
		".claude/skills/x/SKILL.md":                  skill("claude-skill"),
		"sub/.claude/settings.json":                  fmt.Sprintf(`{"hooks": {"SessionStart": %s}}`, hook("claude-sub")),
		".mcp.json":                                  fmt.Sprintf(`{"mcpServers": %s}`, server("claude-mcp")),
		"CLAUDE.md":                                  "# Rules\n",
		"AGENTS.md":                                  "# Rules\n",
		".codex/config.toml":                         fmt.Sprintf("[mcp_servers.s]\ncommand = \"sh\"\nargs = [\"-c\", %q]\n", touch("codex-mcp")),
		".codex/hooks.json":                          fmt.Sprintf(`{"hooks": {"SessionStart": %s, "UserPromptSubmit": %s}}`, hook("codex-start"), hook("codex-submit")),
		".agents/skills/x/SKILL.md":                  skill("agents-skill"),
		".gemini/settings.json":                      fmt.Sprintf(`{"tools": {"discoveryCommand": %q}, "hooks": {"SessionStart": %s, "BeforeAgent": %s}, "mcpServers": %s}`, touch("gemini-discovery"), hook("gemini-start"), hook("gemini-before"), server("gemini-mcp")),
		".gemini/extensions/x/gemini-extension.json": fmt.Sprintf(`{"name": "x", "version": "1.0.0", "mcpServers": %s}`, server("gemini-extension")),
		".env":                    "X=1\n",
		"opencode.json":           local("opencode-mcp"),
		".opencode/opencode.json": local("opencode-inner-mcp"),
		".opencode/plugin/p.js":   module("opencode-plugin", plugin),
		".opencode/plugins/p.js":  module("opencode-plugins", plugin),
		".opencode/tool/t.js":     module("opencode-tool", tool),
		"ralph/PROMPT_build.md":   "# Build one task\n\nRun " + touch("prompt") + "\n",
	} {
		r.WriteFile(file, text)
	}
	r.Git("add", "-f", ".")
	r.Git("commit", "-q", "-m", "settings")
}

// settle gives the user the settings with which each agent works here without a question of its own, as many users have them.
func settle(r *gittest.Repo, m *Model) {
	r.WriteFile("../home/.gemini/settings.json", `{"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false}, "telemetry": {"enabled": false}, "general": {"disableAutoUpdate": true}}`)
	r.WriteFile("../home/.codex/config.toml", fmt.Sprintf("model_provider = \"m\"\nmodel = \"m\"\n[model_providers.m]\nname = \"m\"\nbase_url = %q\nenv_key = \"OPENAI_API_KEY\"\nwire_api = \"responses\"\nrequest_max_retries = 0\nstream_max_retries = 0\n[projects.%q]\ntrust_level = \"trusted\"\n", m.URL+"/v1", r.Dir))
	r.WriteFile("../home/.config/opencode/opencode.json", fmt.Sprintf(`{"model": "m/m", "autoupdate": false, "provider": {"m": {"npm": "@ai-sdk/openai-compatible", "name": "m", "options": {"baseURL": %q, "apiKey": "x"}, "models": {"m": {"name": "m"}}}}}`, m.URL+"/v1"))
	r.WriteFile("../home/.npmrc", "registry="+m.URL+"\nfetch-retries=0\n")
	r.Env = append(r.Env, "OPENAI_API_KEY=none")
	r.Git("config", "ralph.agent.codex.args", "--dangerously-bypass-hook-trust")
	r.Git("config", "ralph.timeLimit", "60s")
}

func left(t *testing.T, markers string) []string {
	t.Helper()
	entries, err := os.ReadDir(markers)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		os.Remove(filepath.Join(markers, e.Name()))
	}
	return names
}

// TestNothingRunsBeforeTrust guards: a repository with every kind of setting is opened by each command with each agent, and
// none runs anything of it before trust is given. Then the agent does, which shows that it would have; and with --untrusted
// it does not, or is refused.
func TestNothingRunsBeforeTrust(t *testing.T) {
	for _, agent := range []string{"claude", "codex", "gemini", "opencode"} {
		t.Run(agent, func(t *testing.T) {
			m := model(t)
			r := workshop(t, m)
			settle(r, m)
			markers := filepath.Join(filepath.Dir(r.Dir), "markers")
			if err := os.Mkdir(markers, 0o777); err != nil {
				t.Fatal(err)
			}
			bring(r, markers)
			r.Git("config", "ralph.agent", agent)
			r.Git("ralph", "init", "--spec", "s.md")
			r.Git("ralph", "task", "add", "one")
			for _, command := range []string{
				"build", "build --once", "build --dry-run", "plan s.md", "init", "install", "doctor", "status", "log", "check", "query", "prime",
				"prompt render", "trust", "trust --list", "task list", "uninstall",
			} {
				out, _ := r.Run("git", append([]string{"ralph"}, strings.Fields(command)...)...)
				if names := left(t, markers); len(names) > 0 {
					t.Errorf("git ralph %s ran %v\n%s", command, names, out)
				}
			}
			untrusted := []string{"ralph", "build", "--once", "--untrusted"}
			out, err := r.Run("git", untrusted...)
			if refused := slices.Contains([]string{"gemini", "opencode"}, agent); err == nil && refused || refused != strings.Contains(fmt.Sprint(err), "cannot ignore") {
				t.Errorf("--untrusted: %v\n%s", err, out)
			}
			if names := left(t, markers); len(names) > 0 {
				t.Errorf("--untrusted ran %v\n%s", names, out)
			}
			r.Git("ralph", "trust", "--yes")
			out, _ = r.Run("git", "ralph", "build", "--once")
			names := left(t, markers)
			t.Logf("with trust it ran %v", names)
			if !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, agent+"-") }) {
				t.Errorf("with trust it ran only %v, so this shows nothing\n%s", names, out)
			}
		})
	}
}
