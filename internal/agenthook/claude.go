package agenthook

import "git-ralph/internal/jsonl"

// claude is Claude Code. Seen with version 2.1.330: a Stop hook that prints {"decision": "block", "reason"} and exits with 0 makes
// the agent go on with the reason as its prompt; systemMessage is a line for the user. After 8 blocks in a row without the use of
// a tool the turn ends all the same (CLAUDE_CODE_STOP_HOOK_BLOCK_CAP); a turn that used a tool sets the count back to 0.
func claude() Vendor {
	return Vendor{
		Name: "claude",
		events: []eventName{
			{"Stop", Stop},
			{"SubagentStart", SubagentStart},
			{"SubagentStop", SubagentStop},
			{"TaskCompleted", TaskCompleted},
			{"TeammateIdle", TeammateIdle},
			{"SessionStart", SessionStart},
			{"SessionEnd", SessionEnd},
			{"StopFailure", StopFailure},
			{"PreToolUse", BeforeTool},
			{"PostToolUse", AfterTool},
		},
		read: func(o jsonl.Object, in *Input) {
			if text(o, "cursor_version") != "" {
				in.Event = "" // Cursor loads Claude's hooks too: its own one answers
				return
			}
			readCommon(o, in)
			in.Tool, in.Params = text(o, "tool_name"), object(o, "tool_input")
		},
		write: writeClaude,
	}
}

// readCommon reads the members whose names several agents share.
func readCommon(o jsonl.Object, in *Input) {
	in.Session = text(o, "session_id")
	in.Dir = text(o, "cwd")
	in.AgentType = text(o, "agent_type")
	in.AgentID = text(o, "agent_id")
	in.Message = text(o, "last_assistant_message", "prompt_response")
	in.Teammate = text(o, "teammate_name")
	in.Subject = text(o, "task_subject")
	in.Reason = text(o, "error", "reason", "error_type")
	if details := text(o, "error_details"); details != "" {
		in.Reason += ": " + details
	}
	in.Files = filesOf(object(o, "tool_input"))
}

func writeClaude(name string, v Verdict) jsonl.Value {
	var out, specific members
	switch {
	case v.Block != "":
		out.text("decision", "block")
		out.text("reason", v.Block)
	case v.Deny != "":
		specific.text("permissionDecision", "deny")
		specific.text("permissionDecisionReason", v.Deny)
	case v.Context != "":
		specific.text("additionalContext", v.Context)
	}
	if len(specific) > 0 {
		specific = append(members{{Name: "hookEventName", Value: jsonl.Quote(name)}}, specific...)
		out.value("hookSpecificOutput", specific.json())
	}
	out.text("systemMessage", v.Message)
	return out.json()
}
