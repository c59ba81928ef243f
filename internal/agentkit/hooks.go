package agentkit

import (
	"slices"
	"strconv"
	"strings"

	"git-ralph/internal/jsonc"
	"git-ralph/internal/jsonl"
)

// A hook is one entry in an agent's settings: for an event, by the agent's name of it.
type hook struct {
	event   string
	element string // as it is written
}

// cursorLoopLimit is how often Cursor may feed a prompt back; its default is 5.
const cursorLoopLimit = 100

// command returns what an agent runs on an event. Without the program, and whatever it ends with, the agent is not disturbed.
func command(agent, event string) string {
	return whereInstalled + hookProgram + agent + " " + event + inAnyCase
}

// The parts of a hook's command.
const (
	whereInstalled = "command -v git-ralph >/dev/null || exit 0; "
	hookProgram    = "git-ralph agent hook "
	inAnyCase      = " || :"
)

// isCommand reports whether a command is one that we wrote. One of the user's may call us among other things, or only mention us.
func isCommand(text string) bool {
	text = strings.TrimSuffix(strings.TrimPrefix(text, whereInstalled), inAnyCase)
	return strings.HasPrefix(text, hookProgram) && !strings.ContainsAny(text, ";&|<>()$`'\"\\#\n")
}

// mcpServer is the entry of our MCP server, opencodeServer that for opencode, and serverName its name. mcpServers is the member of
// most settings that has the servers.
const (
	mcpServer      = `{"command": "git-ralph", "args": ["mcp"]}`
	opencodeServer = `{"type": "local", "command": ["git-ralph", "mcp"]}`
	serverName     = "git-ralph"
	mcpServers     = "mcpServers"
)

// isOurs reports whether an entry is one that we wrote, in this version or another.
func isOurs(v *jsonc.Value) bool {
	if v.Key != "" {
		return v.Key == serverName && len(v.Members) == 2 && // one with an environment or such is the user's
			slices.Equal(append(words(v.Get("command")), words(v.Get("args"))...), []string{"git-ralph", "mcp"})
	}
	return isCommand(v.Get("command").Str()) || onlyOurs(v.Get("hooks"))
}

// words returns the elements of a list, or a text that is alone.
func words(v *jsonc.Value) (list []string) {
	if !v.IsArray() {
		if text := v.Str(); text != "" {
			list = []string{text}
		}
		return list
	}
	for i := range v.Members {
		list = append(list, v.Members[i].Str())
	}
	return list
}

// onlyOurs reports whether a list of hooks has ours and no other.
func onlyOurs(list *jsonc.Value) bool {
	if !list.IsArray() || len(list.Members) == 0 {
		return false
	}
	for i := range list.Members {
		if !isOurs(&list.Members[i]) {
			return false
		}
	}
	return true
}

// group returns an entry in the form that Claude began.
func group(agent, event, matcher string, more ...string) hook {
	text := "{"
	if matcher != "" {
		text += `"matcher": ` + quote(matcher) + ", "
	}
	text += `"hooks": [{"type": "command", "command": ` + quote(command(agent, event)) + strings.Join(more, "") + "}]}"
	return hook{event, text}
}

func quote(text string) string { return string(jsonl.Quote(text)) }

func claudeHooks() []hook {
	return []hook{
		group("claude", "SessionStart", ""),
		group("claude", "PreToolUse", "Write|Edit|MultiEdit|NotebookEdit"),
		group("claude", "PostToolUse", "Skill"),
		group("claude", "Stop", ""),
		group("claude", "SubagentStart", ""),
		group("claude", "SubagentStop", ""),
		group("claude", "StopFailure", ""),
		group("claude", "TaskCompleted", ""),
		group("claude", "TeammateIdle", ""),
		group("claude", "SessionEnd", ""),
	}
}

func codexHooks() []hook {
	return []hook{
		group("codex", "SessionStart", ""),
		group("codex", "PreToolUse", "apply_patch|Edit|Write"),
		group("codex", "Stop", ""),
		group("codex", "SubagentStop", ""),
	}
}

func geminiHooks() []hook {
	name := `, "name": "git-ralph"`
	return []hook{
		group("gemini", "SessionStart", "", name),
		group("gemini", "BeforeTool", "write_file|replace|edit|run_shell_command", name),
		group("gemini", "AfterAgent", "", name),
		group("gemini", "SessionEnd", "", name),
	}
}

func cursorHooks() []hook {
	var list []hook
	for _, h := range [][2]string{
		{"sessionStart", ""},
		{"preToolUse", `, "matcher": "Write"`},
		{"stop", `, "loop_limit": ` + strconv.Itoa(cursorLoopLimit)},
		{"subagentStop", `, "loop_limit": ` + strconv.Itoa(cursorLoopLimit)},
		{"sessionEnd", ""},
	} {
		list = append(list, hook{h[0], `{"command": ` + quote(command("cursor", h[0])) + h[1] + "}"})
	}
	return list
}
