package agentkit

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ErrAgent: there is nothing to install for an agent of that name.
var ErrAgent = errors.New("invalid agent")

// A Scope says for whom something is installed.
type Scope string

const (
	Project Scope = "project" // everybody who works in the repository
	User    Scope = "user"    // all repositories of the user
)

// Places are the directories that agents read.
type Places struct {
	Root   string                   // of the worktree; "" outside of one
	Home   string                   // the user's
	Getenv func(name string) string // some agents let the user move their directory
}

// Agents returns the agents, in the order of the documents.
func Agents() []string { return []string{"claude", "codex", "cursor", "gemini", "opencode"} }

// An item is one file that is installed for an agent.
type item struct {
	path  string
	dirs  int    // of an agent's own above it, which are made for it
	text  string // of a file of our own
	hooks []hook // of a file of settings that is edited
	tools string // the entry of our MCP server in such a file, below the member servers
	set   [2]string

	servers string
	table   bool // of a TOML file that gets our MCP server
	leave   bool // nothing is added to it: another file of that name is
}

// items returns what is installed for an agent. The error is ErrAgent.
func (p Places) items(agent string, scope Scope) ([]item, error) {
	switch agent {
	case "claude":
		dir := p.dir(scope, ".claude", p.moved("CLAUDE_CONFIG_DIR"))
		list := append(skills(filepath.Join(dir, "skills")), item{path: filepath.Join(dir, "settings.json"), dirs: 1, hooks: claudeHooks()})
		for _, role := range Roles() {
			list = append(list, ownFile(filepath.Join(dir, "agents", "ralph-"+role+".md"), 2, Definition(role)))
		}
		if scope == Project { // the user's own are in a file with the state of the program
			list = append(list, item{path: filepath.Join(p.Root, ".mcp.json"), servers: mcpServers, tools: mcpServer})
		}
		return list, nil
	case "codex":
		dir := p.dir(scope, ".codex", p.moved("CODEX_HOME"))
		shared := p.dir(scope, ".agents")
		return append(skills(filepath.Join(shared, "skills")),
			item{path: filepath.Join(dir, "hooks.json"), dirs: 1, hooks: codexHooks()},
			item{path: filepath.Join(dir, "config.toml"), dirs: 1, table: true}), nil
	case "cursor":
		dir := p.dir(scope, ".cursor")
		list := []item{
			{path: filepath.Join(dir, "hooks.json"), dirs: 1, hooks: cursorHooks(), set: [2]string{"version", "1"}},
			{path: filepath.Join(dir, "mcp.json"), dirs: 1, servers: mcpServers, tools: mcpServer},
		}
		if scope == Project { // the user's own rules are no files
			list = append(list, ownFile(filepath.Join(dir, "rules", "git-ralph.mdc"), 2, read("cursor/git-ralph.mdc")))
		}
		return list, nil
	case "gemini":
		dir := p.dir(scope, ".gemini", p.moved("GEMINI_CLI_HOME", ".gemini"))
		return append(skills(filepath.Join(dir, "skills")), item{path: filepath.Join(dir, "settings.json"), dirs: 1, hooks: geminiHooks(), servers: mcpServers, tools: mcpServer}), nil
	case "opencode":
		inHome := filepath.Join(p.Home, ".config", "opencode")
		dir := p.dir(scope, ".opencode", p.moved("OPENCODE_CONFIG_DIR"), p.moved("XDG_CONFIG_HOME", "opencode"), inHome)
		plugin := item{path: filepath.Join(dir, "plugins", "git-ralph.ts"), dirs: 2, text: signed(read("opencode/git-ralph.ts"), "// ", "")}
		list := append(append(skills(filepath.Join(dir, "skills")), plugin), opencodeSettings(dir)...)
		if dir == inHome && scope == User {
			for i := range list {
				list[i].dirs++ // .config
			}
		}
		return list, nil
	}
	return nil, fmt.Errorf("%w %q: want %s", ErrAgent, agent, strings.Join(Agents(), ", "))
}

// opencodeSettings returns both files that opencode reads. The one with comments is edited where there is one. opencode 1.18.33 adds
// the schema to a file that has none, which would keep a file of ours from being deleted.
func opencodeSettings(dir string) []item {
	commented := item{path: filepath.Join(dir, "opencode.jsonc"), dirs: 1, servers: "mcp", tools: opencodeServer, set: [2]string{"$schema", `"https://opencode.ai/config.json"`}}
	plain := commented
	plain.path = filepath.Join(dir, "opencode.json")
	_, err := os.Stat(commented.path)
	commented.leave, plain.leave = err != nil, err == nil
	return []item{commented, plain}
}

// dir returns an agent's directory: in the worktree, or the first of several in the user's, the one of the same name in the home
// directory where there is none.
func (p Places) dir(scope Scope, name string, moved ...string) string {
	if scope == Project {
		return filepath.Join(p.Root, name)
	}
	return cmp.Or(cmp.Or(moved...), filepath.Join(p.Home, name))
}

// moved returns the directory that a variable of the user's names, with what is below it; "" where it names none.
func (p Places) moved(variable string, below ...string) string {
	if p.Getenv == nil || !filepath.IsAbs(p.Getenv(variable)) {
		return ""
	}
	return filepath.Join(append([]string{p.Getenv(variable)}, below...)...)
}

// skills returns the skills as files below a directory, with what they share.
func skills(dir string) (list []item) {
	for _, name := range Skills() {
		list = append(list, ownFile(filepath.Join(dir, name, "SKILL.md"), 3, Skill(name)))
	}
	return append(list, ownFile(filepath.Join(dir, conventions), 3, Conventions()))
}

// ownFile returns a file of our own in Markdown.
func ownFile(path string, dirs int, text string) item {
	return item{path: path, dirs: dirs, text: signed(text, "<!-- ", " -->")}
}
