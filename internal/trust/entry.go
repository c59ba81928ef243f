package trust

import (
	"path"
	"slices"
	"strings"
)

// A Kind says what an entry is, in words for people.
type Kind string

// The kinds.
const (
	Settings     Kind = "settings"
	Skill        Kind = "skill"
	Definition   Kind = "agent or command"
	Plugin       Kind = "plugin or tool"
	Server       Kind = "MCP servers"
	Variables    Kind = "environment variables"
	Prompt       Kind = "prompt"
	Instructions Kind = "instructions"
	Spec         Kind = "spec"
)

// An Entry is one file of a repository that configures agents, or that they run.
type Entry struct {
	Path string // from the worktree's root, with slashes; one above it begins with ../
	Kind Kind
	Hash string // of its content
}

// Runs reports whether the entry can run something, or replaces the prompts of this program. The others are only
// text that an agent reads.
func (e Entry) Runs() bool { return e.Kind != Instructions && e.Kind != Spec }

// agentDirs are directories that agents read, everything in them, wherever they are.
func agentDirs() []string { return []string{".claude", ".codex", ".gemini", ".opencode", ".agents"} }

// canonical returns a file name as the least exact file system compares it: without case, also that of ſ (a long s) and
// other letters with an unusual upper case, and without dots and spaces at its end.
func canonical(name string) string {
	return strings.ToLower(strings.ToUpper(strings.TrimRight(name, ". ")))
}

// isAgentDir reports whether agents read everything in a directory of that name.
func isAgentDir(name string) bool { return slices.Contains(agentDirs(), canonical(name)) }

// kindOf returns the kind of a file outside of those directories; known is false for one that no agent reads by itself. Top
// is set where the file is in a directory that agents start in, or in one above that.
func kindOf(name string, top bool) (kind Kind, known bool) {
	switch canonical(name) {
	case "agents.md", "agents.override.md", "claude.md", "claude.local.md", "gemini.md", "context.md":
		return Instructions, true
	case ".mcp.json":
		return Server, true
	case "opencode.json", "opencode.jsonc":
		return Settings, true
	case ".env":
		return Variables, top
	}
	return "", false
}

// kindWithin returns the kind of a file in an agent's directory, by its path from there.
func kindWithin(name string) Kind {
	first, _, below := strings.Cut(name, "/")
	if !below {
		if canonical(name) == ".env" {
			return Variables
		}
		return Settings
	}
	switch canonical(first) {
	case "skill", "skills":
		return Skill
	case "agent", "agents", "command", "commands", "mode", "modes", "prompts":
		return Definition
	case "plugin", "plugins", "tool", "tools", "extensions":
		return Plugin
	}
	return Settings
}

// promptDir is where a repository has prompts that replace ours.
const promptDir = "ralph"

// isPrompt reports whether a file of that directory is a prompt.
func isPrompt(name string) bool {
	return strings.HasPrefix(canonical(name), "prompt_") && path.Ext(canonical(name)) == ".md"
}
