package agenthook

// codex is the Codex program. Its hooks read and write what Claude's do; its schema is closed, and {} lets the agent pass. Its users
// have to trust a hook before it runs (/hooks).
func codex() Vendor {
	return Vendor{
		Name: "codex",
		events: []eventName{
			{"Stop", Stop},
			{"SubagentStop", SubagentStop},
			{"SessionStart", SessionStart},
			{"SessionEnd", SessionEnd},
			{"PreToolUse", BeforeTool},
		},
		read:  readCommon,
		write: writeClaude,
		pass:  "{}\n",
	}
}
