package agenthook

import (
	"fmt"
	"strings"
)

// Decide returns the verdict on a situation. A workplan loop takes precedence over a role; a sub-agent has no loop.
func Decide(s Situation) Verdict {
	switch s.Event {
	case Stop:
		if s.Loop != nil {
			return Verdict{Block: s.Loop.Prompt, Message: s.Loop.Message}
		}
		return roleGate(s)
	case SubagentStop:
		return roleGate(s)
	case TaskCompleted:
		return Verdict{Message: fmt.Sprintf(`Task completed by %s: "%s"`, s.Teammate, s.Subject)}
	case TeammateIdle:
		return Verdict{Message: s.Teammate + " is idle."}
	case SessionStart:
		return Verdict{Context: s.Primer}
	case BeforeTool:
		if s.PlanFile != "" {
			return Verdict{Deny: s.PlanFile + " is not written by hand: `git ralph task` and `git ralph issue` change it, and commit each change. `git ralph prime` lists the commands."}
		}
		return Verdict{Command: withSession(s.Command, s.Session)}
	}
	return Verdict{}
}

// withSession returns a command that starts a workplan loop with the session in its environment, "" for any other: some agents do not
// name the session to the commands that they run.
func withSession(command, session string) string {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	if !strings.Contains(command, "ralph workplan loop start") || session == "" || strings.Trim(session, safe) != "" {
		return ""
	}
	return "export " + SessionVariable + "=" + session + "; " + command
}

// SessionVariable names the session to the commands that an agent runs.
const SessionVariable = "GIT_RALPH_SESSION"

// roleGate keeps an agent from stopping while there is work for its role. Its one line is a fact, without advice.
func roleGate(s Situation) Verdict {
	switch {
	case s.Role == "" || s.Left() == 0 || s.Repeated:
		return Verdict{}
	case s.Role == Lead && s.GitHub:
		return Verdict{Block: "GitHub has " + counted(s.Issues, "processable issue") + "."}
	case s.Role == Lead:
		return Verdict{Block: "The plan has " + counted(s.Tasks, "unblocked task") + "."}
	}
	return Verdict{Block: "Pending tasks exist for your role."}
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
