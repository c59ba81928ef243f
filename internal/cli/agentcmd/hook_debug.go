package agentcmd

import (
	"git-ralph/internal/agenthook"
	"git-ralph/internal/debuglog"
)

// record records in the debug log what an agent's event says about agents: skills, and what was started and completed. Blocked says that
// whoever the event is about goes on.
func (h *hook) record(blocked bool) {
	in := h.input
	e := debuglog.Event{Category: debuglog.Agent, Blocked: blocked}
	switch in.Event {
	case agenthook.SessionStart:
		e.Name, e.Result, e.Params = "session", debuglog.Began, debuglog.Params("agent", h.agent)
	case agenthook.SessionEnd:
		e.Name, e.Params = "session", debuglog.Params("agent", h.agent, "reason", in.Reason)
	case agenthook.StopFailure:
		e.Name, e.Type, e.Error = "turn", "failed", in.Reason
	case agenthook.SubagentStart:
		e.Name, e.Result, e.Params = "subagent", debuglog.Began, debuglog.Params("type", in.AgentType, "id", in.AgentID)
	case agenthook.SubagentStop:
		e.Name, e.Params = "subagent", debuglog.Params("type", in.AgentType, "id", in.AgentID)
	case agenthook.TaskCompleted:
		e.Name, e.Params = "task", debuglog.Params("teammate", in.Teammate, "subject", in.Subject)
	case agenthook.TeammateIdle:
		e.Name, e.Params = "teammate", debuglog.Params("teammate", in.Teammate)
	case agenthook.AfterTool:
		e.Name, e.Params = in.Tool, in.Params
		if in.Tool == "Skill" {
			e.Name = "skill"
		}
	default:
		return
	}
	h.env.Debug.Record(e)
}
