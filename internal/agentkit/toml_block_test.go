package agentkit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"git-ralph/internal/agentkit"
	"git-ralph/internal/sha256"
)

// codex is a repository with settings of codex.
type codex struct {
	*testing.T
	agentkit.Places
	path string
}

func newCodex(t *testing.T, text string) codex {
	root := t.TempDir()
	path := filepath.Join(root, ".codex", "config.toml")
	write(t, path, text, 0o644)
	return codex{t, agentkit.Places{Root: root}, path}
}

// do installs or uninstalls, and returns what happened to the settings: a reason to leave them alone, or their text.
func (c codex) do(find func(agentkit.Places, string, agentkit.Scope) ([]agentkit.Change, error)) string {
	c.Helper()
	for _, done := range change(c.T, c.Places, "codex", agentkit.Project, find) {
		if done.Path == c.path && done.Action == agentkit.Leave {
			return done.Why
		}
	}
	text, err := os.ReadFile(c.path)
	if err != nil {
		return ""
	}
	return string(text)
}

func (c codex) replace(old, now string) {
	c.Helper()
	text, err := os.ReadFile(c.path)
	if err != nil || !strings.Contains(string(text), old) {
		c.Fatalf("no %q in %q, %v", old, text, err)
	}
	write(c.T, c.path, strings.Replace(string(text), old, now, 1), 0o644)
}

// TestOwnServerStays guards: where codex has a server of our name already, or its servers are one value, its settings stay as they are and
// the reason is given.
func TestOwnServerStays(t *testing.T) {
	for text, want := range map[string]string{
		"[mcp_servers.git-ralph]\ncommand = \"x\"\n":                 "an MCP server git-ralph of its own",
		"[ mcp_servers . \"git-ralph\" ] # mine\ncommand = \"x\"":    "an MCP server git-ralph of its own",
		"[mcp_servers.git-ralph.env]\nA = \"x\"\n":                   "an MCP server git-ralph of its own",
		"mcp_servers.git-ralph.command = \"x\"\n":                    "an MCP server git-ralph of its own",
		"mcp_servers.'git-ralph' = {command = \"x\"}\n":              "an MCP server git-ralph of its own",
		"[a]\n[mcp_servers]\r\ngit-ralph = {command = \"x\"}\n":      "an MCP server git-ralph of its own",
		"[mcp_servers] # mine\n\"git-ralph\".command = \"x\"\n":      "an MCP server git-ralph of its own",
		"\ufeffmcp_servers = {other = {command = \"x\"}}\n":          "mcp_servers is one value there",
		"model = \"x\"\n[[mcp_servers]]\ncommand = \"x\"\n[other]\n": "mcp_servers is one value there",
	} {
		c := newCodex(t, text)
		if got := c.do(agentkit.Places.Install); !strings.Contains(got, want) {
			t.Errorf("%q: %s", text, got)
		}
		if got := c.do(agentkit.Places.Uninstall); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestServerAmongOthers guards: what was written before and after our server stays, lines that were added to it keep it from being
// removed, and a server of another version is replaced.
func TestServerAmongOthers(t *testing.T) {
	c := newCodex(t, "a = 1")
	c.do(agentkit.Places.Install)
	c.replace("a = 1", "[mcp_servers.x]\ncommand = \"x\"")
	write(t, c.path, c.do(agentkit.Places.Install)+"# more\n[b]\nc = 2\n", 0o644)
	if got, want := c.do(agentkit.Places.Uninstall), "[mcp_servers.x]\ncommand = \"x\"\n# more\n[b]\nc = 2\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	older := "[mcp_servers.git-ralph]\ncommand = \"git-ralph\"\nargs = [\"serve\"]\n"
	c = newCodex(t, "a = 1\r\n\r\n"+strings.ReplaceAll(older+"# written by git ralph agent install: "+sha256.Hex(older)[:16]+"\n", "\n", "\r\n"))
	if got := c.do(agentkit.Places.Install); strings.Contains(got, "serve\"") || !strings.Contains(got, `["mcp"]`) {
		t.Errorf("%q", got)
	}
	if got := c.do(agentkit.Places.Uninstall); got != "a = 1\r\n" {
		t.Errorf("%q", got)
	}
	c = newCodex(t, "")
	added := c.do(agentkit.Places.Install) + "# limits\nstartup_timeout_sec = 9\n"
	write(t, c.path, added, 0o644)
	if got := c.do(agentkit.Places.Uninstall); !strings.Contains(got, "changed since") {
		t.Error(got)
	}
	if got := c.do(agentkit.Places.Install); got != added {
		t.Errorf("%q", got)
	}
	c.replace("args", "# mine\nargs")
	if got := c.do(agentkit.Places.Install); !strings.Contains(got, "of its own") {
		t.Error(got)
	}
}
