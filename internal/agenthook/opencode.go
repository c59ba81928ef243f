package agenthook

import "git-ralph/internal/jsonl"

// opencode is opencode. Our plug-in is the other side, so the form is ours: it sends prompt to the session, denies a tool with deny,
// adds context to the session, and shows message.
func opencode() Vendor {
	return Vendor{
		Name: "opencode",
		events: []eventName{
			{"session.idle", Stop},
			{"session.created", SessionStart},
			{"tool.execute.before", BeforeTool},
		},
		read: func(o jsonl.Object, in *Input) {
			in.Session = text(o, "sessionID")
			in.Dir = text(o, "directory")
			in.Message = text(o, "message")
			in.Files = filesOf(object(o, "args"))
		},
		write: func(_ string, v Verdict) jsonl.Value {
			var out members
			out.text("prompt", v.Block)
			out.text("deny", v.Deny)
			out.text("context", v.Context)
			out.text("message", v.Message)
			return out.json()
		},
	}
}
