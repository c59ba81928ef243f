package agenthook

import "git-ralph/internal/jsonl"

// gemini is the Gemini program. Its standard output is JSON or nothing. AfterAgent is its stop: a denied response is followed by
// another turn, with the reason as its prompt.
func gemini() Vendor {
	return Vendor{
		Name: "gemini",
		events: []eventName{
			{"AfterAgent", Stop},
			{"SessionStart", SessionStart},
			{"SessionEnd", SessionEnd},
			{"BeforeTool", BeforeTool},
		},
		read: func(o jsonl.Object, in *Input) {
			readCommon(o, in)
			in.Command = text(object(o, "tool_input"), "command")
		},
		write: writeGemini,
	}
}

func writeGemini(name string, v Verdict) jsonl.Value {
	var out members
	switch {
	case v.Block != "" || v.Deny != "":
		out.text("decision", "deny")
		out.text("reason", v.Block+v.Deny)
	case v.Command != "":
		input, specific := members{}, members{{Name: "hookEventName", Value: jsonl.Quote(name)}}
		input.text("command", v.Command)
		specific.value("tool_input", input.json())
		out.value("hookSpecificOutput", specific.json())
	case v.Context != "":
		specific := members{{Name: "hookEventName", Value: jsonl.Quote(name)}}
		specific.text("additionalContext", v.Context)
		out.value("hookSpecificOutput", specific.json())
	}
	out.text("systemMessage", v.Message)
	return out.json()
}
