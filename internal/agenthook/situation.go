package agenthook

import "git-ralph/internal/jsonl"

// An Event is something that happened in an agent's session, whatever the agent calls it.
type Event string

const (
	Stop          Event = "stop"           // the agent is about to end its turn
	SubagentStart Event = "subagent start" // the agent started another one
	SubagentStop  Event = "subagent stop"  // that is about to end its turn
	TaskCompleted Event = "task completed" // a teammate completed a task of the agent's own list
	TeammateIdle  Event = "teammate idle"  // a teammate ended its turn
	SessionStart  Event = "session start"  // also after /clear, /compact and a resume
	SessionEnd    Event = "session end"
	StopFailure   Event = "stop failure" // the turn ended by an error of the agent's service
	BeforeTool    Event = "before tool"  // a tool is about to run
	AfterTool     Event = "after tool"   // it has run
)

// Input is what an agent reports with an event.
type Input struct {
	Event     Event
	Session   string   // id of the session; "" where the agent has none
	Dir       string   // where the agent is; it may have left the directory that it was started in
	AgentType string   // definition of a sub-agent, such as "ralph-builder"
	AgentID   string   // which of those with this definition it is; "" where the agent does not say
	Message   string   // the last message of the agent
	Teammate  string   // whom the event is about
	Subject   string   // the task that was completed
	Files     []string // what the tool is about to write
	Command   string   // what it is about to run, of agents that let a hook change it
	Reason    string   // why the session or the turn ended

	Tool   string       // that has run
	Params jsonl.Object // what it was called with
}

// A Situation is everything that a verdict depends on.
type Situation struct {
	Event    Event
	Loop     *Loop  // what the session's workplan loop answers; nil where it has none
	Role     string // the role of whoever stops, "" for none
	Tasks    int    // unblocked tasks of that role, own or unclaimed; for a lead all unblocked tasks
	Issues   int    // for a lead, of GitHub's issues as they were last pulled those that can be worked on
	GitHub   bool   // the plan is that of a repository at GitHub: for a lead, its issues count, and not the tasks
	Repeated bool   // it was blocked before, and has not claimed or committed anything since
	Teammate string
	Subject  string
	Primer   string // what a session should know at its start, "" where there is no plan
	Session  string
	Command  string
	PlanFile string // the plan, where a tool is about to write it by hand and may not; else ""
}

// Left returns how much of what keeps the role from stopping there is.
func (s Situation) Left() int {
	if s.Role == Lead && s.GitHub {
		return s.Issues
	}
	return s.Tasks
}

// Lead is the role of a session that leads others.
const Lead = "lead"

// A Loop is the answer of a workplan loop to a stop.
type Loop struct {
	Prompt  string // what to do next; "" where the loop has ended
	Message string // for the user, a line; may be empty
}

// A Verdict is the answer to an event. The zero Verdict lets the agent continue as it would without a hook.
type Verdict struct {
	Block   string // why the agent does not stop, or what it does next; "" where it may stop
	Deny    string // why a tool may not run; "" where it may
	Command string // what a tool runs instead; "" where it stays
	Context string // for the agent
	Message string // for the user
}
