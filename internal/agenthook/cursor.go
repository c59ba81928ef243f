package agenthook

import "git-ralph/internal/jsonl"

// cursor is Cursor. No registry that is open to everybody offers its program, so this follows its published documents: a session is
// called conversation, a stop is answered with the next prompt (followup_message, at most loop_limit times), and the directory is
// the first of workspace_roots where there is no cwd.
func cursor() Vendor {
	return Vendor{
		Name: "cursor",
		events: []eventName{
			{"stop", Stop},
			{"subagentStop", SubagentStop},
			{"sessionStart", SessionStart},
			{"sessionEnd", SessionEnd},
			{"preToolUse", BeforeTool},
		},
		read:  readCursor,
		write: writeCursor,
		pass:  "{}\n",
	}
}

func readCursor(o jsonl.Object, in *Input) {
	readCommon(o, in)
	in.Session = text(o, "conversation_id", "session_id")
	in.AgentType = text(o, "subagent_type")
	if roots, ok := o.Get("workspace_roots"); ok && in.Dir == "" {
		for root := range roots.All() {
			in.Dir, _ = root.Str()
			break
		}
	}
	if status := text(o, "status"); (status == "aborted" || status == "error") && in.Event == Stop {
		in.Event = "" // the user ended the turn: nothing follows
	}
}

func writeCursor(_ string, v Verdict) jsonl.Value {
	var out members
	out.text("followup_message", v.Block)
	out.text("additional_context", v.Context)
	if v.Deny != "" {
		out.text("permission", "deny")
		out.text("agent_message", v.Deny)
		out.text("user_message", v.Deny)
	}
	return out.json()
}
