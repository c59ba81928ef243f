package agenthook_test

import (
	"errors"
	"slices"
	"testing"

	"git-ralph/internal/agenthook"
	"git-ralph/internal/jsonl"
)

// forms returns what an agent does about an answer, read as the agent's documents say.
func forms(t *testing.T, vendor, event, answer string) agenthook.Verdict {
	t.Helper()
	if answer == "" {
		return agenthook.Verdict{}
	}
	o, err := jsonl.ParseObject(answer)
	if err != nil {
		t.Fatalf("%s: %q: %v", vendor, answer, err)
	}
	get := func(o jsonl.Object, name string) string {
		value, _ := o.Get(name)
		s, _ := value.Str()
		return s
	}
	specific, _ := o.Get("hookSpecificOutput")
	inner := specific.Object()
	switch vendor {
	case "cursor":
		return agenthook.Verdict{Block: get(o, "followup_message"), Deny: get(o, "agent_message"), Context: get(o, "additional_context")}
	case "opencode":
		return agenthook.Verdict{Block: get(o, "prompt"), Deny: get(o, "deny"), Context: get(o, "context"), Message: get(o, "message")}
	}
	v := agenthook.Verdict{Deny: get(inner, "permissionDecisionReason"), Context: get(inner, "additionalContext"), Message: get(o, "systemMessage")}
	switch decision := get(o, "decision"); {
	case decision == "deny" && event == "BeforeTool":
		v.Deny = get(o, "reason")
	case decision == "block", decision == "deny":
		v.Block = get(o, "reason")
	}
	return v
}

// situations are those of every row of the table, with what is decided.
var situations = []struct {
	name string
	s    agenthook.Situation
	want agenthook.Verdict
}{
	{"nothing is known", agenthook.Situation{Event: agenthook.Stop}, agenthook.Verdict{}},
	{"a loop goes on", agenthook.Situation{Event: agenthook.Stop, Loop: &agenthook.Loop{Prompt: "T02"}}, agenthook.Verdict{Block: "T02"}},
	{"a loop ended", agenthook.Situation{Event: agenthook.Stop, Loop: &agenthook.Loop{Message: "max"}}, agenthook.Verdict{Message: "max"}},
	{"a loop is before a role", agenthook.Situation{Event: agenthook.Stop, Loop: &agenthook.Loop{}, Role: "builder", Tasks: 3}, agenthook.Verdict{}},
	{"a role with tasks", agenthook.Situation{Event: agenthook.Stop, Role: "builder", Tasks: 3}, agenthook.Verdict{Block: "Pending tasks exist for your role."}},
	{"a role without tasks", agenthook.Situation{Event: agenthook.Stop, Role: "builder"}, agenthook.Verdict{}},
	{"blocked once already", agenthook.Situation{Event: agenthook.Stop, Role: "builder", Tasks: 3, Repeated: true}, agenthook.Verdict{}},
	{"a lead", agenthook.Situation{Event: agenthook.Stop, Role: "lead", Tasks: 3}, agenthook.Verdict{Block: "The plan has 3 unblocked tasks."}},
	{"a lead, one task", agenthook.Situation{Event: agenthook.Stop, Role: "lead", Tasks: 1}, agenthook.Verdict{Block: "The plan has 1 unblocked task."}},
	{"a lead with GitHub", agenthook.Situation{Event: agenthook.Stop, Role: "lead", Tasks: 1, Issues: 2, GitHub: true}, agenthook.Verdict{Block: "GitHub has 2 processable issues."}},
	{"a lead with GitHub, one issue", agenthook.Situation{Event: agenthook.Stop, Role: "lead", Issues: 1, GitHub: true}, agenthook.Verdict{Block: "GitHub has 1 processable issue."}},
	{"a lead with GitHub, no issue", agenthook.Situation{Event: agenthook.Stop, Role: "lead", Tasks: 1, GitHub: true}, agenthook.Verdict{}},
	{"a worker with GitHub", agenthook.Situation{Event: agenthook.Stop, Role: "builder", Tasks: 1, GitHub: true}, agenthook.Verdict{Block: "Pending tasks exist for your role."}},
	{"a sub-agent", agenthook.Situation{Event: agenthook.SubagentStop, Role: "validator", Tasks: 1}, agenthook.Verdict{Block: "Pending tasks exist for your role."}},
	{"a sub-agent has no loop", agenthook.Situation{Event: agenthook.SubagentStop, Loop: &agenthook.Loop{Prompt: "T02"}}, agenthook.Verdict{}},
	{"a session begins", agenthook.Situation{Event: agenthook.SessionStart, Primer: "use \"git ralph\"\n"}, agenthook.Verdict{Context: "use \"git ralph\"\n"}},
	{"no plan", agenthook.Situation{Event: agenthook.SessionStart}, agenthook.Verdict{}},
	{"a session ends", agenthook.Situation{Event: agenthook.SessionEnd}, agenthook.Verdict{}},
	{"a file", agenthook.Situation{Event: agenthook.BeforeTool}, agenthook.Verdict{}},
	{"a task of a teammate", agenthook.Situation{Event: agenthook.TaskCompleted, Teammate: "ann", Subject: "Plan GH-1"}, agenthook.Verdict{Message: `Task completed by ann: "Plan GH-1"`}},
	{"an idle teammate", agenthook.Situation{Event: agenthook.TeammateIdle, Teammate: "ann"}, agenthook.Verdict{Message: "ann is idle."}},
}

// TestSessionOfLoop guards: gemini names no session to its commands, so the one that starts a loop gets it from the hook; no other
// command changes, and no id that means something to a shell is passed on.
func TestSessionOfLoop(t *testing.T) {
	v, err := agenthook.Find("gemini")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range [][3]string{
		{"git ralph workplan loop start a.md", "5c-1", `{"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": {"command": "export GIT_RALPH_SESSION=5c-1; git ralph workplan loop start a.md"}}}` + "\n"},
		{"git ralph workplan loop start a.md", "5c;rm", ""},
		{"git ralph workplan loop status", "5c-1", ""},
		{"ls", "5c-1", ""},
	} {
		in, err := v.Read("BeforeTool", []byte(`{"session_id": "`+row[1]+`", "tool_input": {"command": "`+row[0]+`"}}`))
		got := v.Write("BeforeTool", agenthook.Decide(agenthook.Situation{Event: in.Event, Session: in.Session, Command: in.Command}))
		if err != nil || got != row[2] {
			t.Errorf("%v: %q, %v", row, got, err)
		}
	}
}

// nameOf returns what an agent calls an event, "" where it has none.
func nameOf(v agenthook.Vendor, event agenthook.Event) string {
	for _, name := range v.EventNames() {
		if in, err := v.Read(name, []byte(`{}`)); err == nil && in.Event == event {
			return name
		}
	}
	return ""
}

// TestSameDecisionEverywhere guards: the same situation gives the same decision in the forms of all five agents. Cursor has no line
// for the user.
func TestSameDecisionEverywhere(t *testing.T) {
	deny := agenthook.Situation{Event: agenthook.BeforeTool, PlanFile: "ralph/plan.jsonl"}
	all := append(slices.Clone(situations), struct {
		name string
		s    agenthook.Situation
		want agenthook.Verdict
	}{"the plan by hand", deny, agenthook.Decide(deny)})
	if agenthook.Decide(deny).Deny == "" {
		t.Error("the plan may be written by hand")
	}
	for _, row := range all {
		if got := agenthook.Decide(row.s); got != row.want {
			t.Errorf("%s: %+v, want %+v", row.name, got, row.want)
		}
		agents := 0
		for _, v := range agenthook.Vendors() {
			name := nameOf(v, row.s.Event)
			if name == "" {
				continue
			}
			agents++
			want := row.want
			if v.Name == "cursor" {
				want.Message = ""
			}
			if got := forms(t, v.Name, name, v.Write(name, agenthook.Decide(row.s))); got != want {
				t.Errorf("%s, %s: %+v, want %+v", v.Name, row.name, got, want)
			}
		}
		if agents == 0 || row.s.Event == agenthook.Stop && agents != 5 {
			t.Errorf("%s: %d agents have the event", row.name, agents)
		}
	}
}

// TestReadsInputs guards: what each agent reports is understood, recorded from the real programs where there is one.
func TestReadsInputs(t *testing.T) {
	for _, row := range []struct {
		vendor, event, json string
		want                agenthook.Input
	}{
		{"claude", "Stop", `{"session_id":"5c","transcript_path":"/t","cwd":"/r","permission_mode":"default","hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"ok"}`, agenthook.Input{Event: agenthook.Stop, Session: "5c", Dir: "/r", Message: "ok"}},
		{"claude", "Stop", `{"session_id":"5c","cwd":"/r","cursor_version":"3.7"}`, agenthook.Input{}},
		{"claude", "SubagentStop", `{"session_id":"5c","cwd":"/r","agent_id":"a1","agent_type":"git-ralph:ralph-builder"}`, agenthook.Input{Event: agenthook.SubagentStop, Session: "5c", Dir: "/r", AgentType: "git-ralph:ralph-builder", AgentID: "a1"}},
		{"claude", "TaskCompleted", `{"session_id":"5c","cwd":"/r","task_id":"1","task_subject":"Plan","teammate_name":"ann","team_name":"x"}`, agenthook.Input{Event: agenthook.TaskCompleted, Session: "5c", Dir: "/r", Teammate: "ann", Subject: "Plan"}},
		{"claude", "StopFailure", `{"session_id":"5c","cwd":"/r","error":"rate_limit","error_details":"429"}`, agenthook.Input{Event: agenthook.StopFailure, Session: "5c", Dir: "/r", Reason: "rate_limit: 429"}},
		{"claude", "PreToolUse", `{"session_id":"5c","cwd":"/r","tool_name":"Write","tool_input":{"file_path":"/r/ralph/plan.jsonl","content":"x"}}`, agenthook.Input{Event: agenthook.BeforeTool, Session: "5c", Dir: "/r", Files: []string{"/r/ralph/plan.jsonl"}}},
		{"codex", "PreToolUse", `{"session_id":"5c","cwd":"/r","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: ralph/plan.jsonl\n@@\n-a\n+b\n*** Add File: b\n+x\n*** End Patch\n"}}`, agenthook.Input{Event: agenthook.BeforeTool, Session: "5c", Dir: "/r", Files: []string{"ralph/plan.jsonl", "b"}}},
		{"cursor", "stop", `{"conversation_id":"5c","generation_id":"g","workspace_roots":["/r","/s"],"status":"completed","loop_count":0}`, agenthook.Input{Event: agenthook.Stop, Session: "5c", Dir: "/r"}},
		{"cursor", "stop", `{"conversation_id":"5c","workspace_roots":["/r"],"status":"aborted"}`, agenthook.Input{Session: "5c", Dir: "/r"}},
		{"gemini", "AfterAgent", `{"session_id":"5c","cwd":"/r","prompt":"p","prompt_response":"ok","stop_hook_active":true}`, agenthook.Input{Event: agenthook.Stop, Session: "5c", Dir: "/r", Message: "ok"}},
		{"opencode", "session.idle", `{"sessionID":"5c","directory":"/r","message":"ok"}`, agenthook.Input{Event: agenthook.Stop, Session: "5c", Dir: "/r", Message: "ok"}},
		{"opencode", "tool.execute.before", `{"sessionID":"5c","directory":"/r","args":{"filePath":"a"}}`, agenthook.Input{Event: agenthook.BeforeTool, Session: "5c", Dir: "/r", Files: []string{"a"}}},
	} {
		v, err := agenthook.Find(row.vendor)
		if err != nil {
			t.Fatal(err)
		}
		got, err := v.Read(row.event, []byte(row.json))
		if err != nil || got.Event != row.want.Event || got.Event != "" && (got.Session != row.want.Session || got.Dir != row.want.Dir ||
			got.Message != row.want.Message || got.AgentType != row.want.AgentType || got.AgentID != row.want.AgentID || got.Teammate != row.want.Teammate ||
			got.Subject != row.want.Subject || got.Reason != row.want.Reason || !slices.Equal(got.Files, row.want.Files)) {
			t.Errorf("%s %s: %+v, %v; want %+v", row.vendor, row.event, got, err, row.want)
		}
	}
}

// TestRefusesOtherInput guards: what is no event, no agent and no JSON is an error, and not an answer.
func TestRefusesOtherInput(t *testing.T) {
	if _, err := agenthook.Find("vi"); !errors.Is(err, agenthook.ErrAgent) {
		t.Errorf("an agent that does not exist: %v", err)
	}
	for _, v := range agenthook.Vendors() {
		if _, err := v.Read("Sunrise", []byte(`{}`)); !errors.Is(err, agenthook.ErrEvent) {
			t.Errorf("%s: an event that does not exist: %v", v.Name, err)
		}
		for _, bad := range []string{"", "[]", "{", "\xff", `{"a": 1} {}`} {
			if _, err := v.Read(v.EventNames()[0], []byte(bad)); !errors.Is(err, agenthook.ErrInput) {
				t.Errorf("%s: %q: %v", v.Name, bad, err)
			}
		}
	}
}

// TestRoleOf guards: only our own definitions have a role, wherever they were installed from.
func TestRoleOf(t *testing.T) {
	for name, want := range map[string]string{
		"ralph-analyst": "analyst", "git-ralph:ralph-integrator": "integrator", "ralph-builder": "builder", "general-purpose": "",
		"ralph-": "", "ralph-lead": "", "": "", "my-ralph-builder": "",
	} {
		if got := agenthook.RoleOf(name); got != want {
			t.Errorf("%q has the role %q, want %q", name, got, want)
		}
	}
}
