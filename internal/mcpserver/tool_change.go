package mcpserver

import (
	"encoding/json"
	"fmt"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/inprocess"
)

type taskInput struct {
	Op        string   `json:"op"`
	IDs       []string `json:"ids"`
	Fields    fields   `json:"fields"`
	Reason    string   `json:"reason"`
	Verdict   string   `json:"verdict"`
	Artifact  string   `json:"artifact"`
	Files     []string `json:"files"`
	Supersede string   `json:"supersede"`
	Verified  bool     `json:"verified"`
	Cascade   bool     `json:"cascade"`
	Force     bool     `json:"force"`
	DryRun    bool     `json:"dry_run"`
	Claim     string   `json:"claim"`
}

// fields are the JSON that a command reads: a list of objects, or one. Some models write such a value as a string of JSON.
type fields string

func (f *fields) UnmarshalJSON(data []byte) error {
	*f = fields(data)
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(f))
	}
	return nil
}

func taskTool() tool {
	return tool{
		name: "task_change", request: reads(taskInput.line),
		about: "Change tasks, in one commit of the plan. add: fields of each task. edit: fields of one task, null clears. done, accept, " +
			"cancel: ids. Commit the work before done. done, of a task of an item: verdict (of a review APPROVED, or NEEDS_ITERATION and reason; of triage a state), artifact (the path written), files (to be modified, of research). reject: one id and reason. kill: one id, reason timeout or context. decompose: one id, fields of each smaller task.",
		schema: `{"type":"object","required":["op"],"properties":{"op":{"type":"string","enum":["add","edit","done","accept","reject","cancel","kill","decompose"]},` + idsProperty +
			`,"fields":{"type":"array","items":{"type":"object"},"description":"name, notes, accept, spec, priority (high, medium, low), deps, labels, role, check (command lines that prove it), …"},"reason":{"type":"string"},"verdict":{"type":"string"},"artifact":{"type":"string"},"files":{"type":"array","items":{"type":"string"}},` +
			`"supersede":{"type":"string","description":"reject: name of the task that replaces it"},` +
			`"verified":{"type":"boolean","description":"accept: only what its checks prove"},"cascade":{"type":"boolean","description":"cancel: dependents too"},` +
			`"force":{"type":"boolean"},` + dryRunProperty + `,` + claimProperty + `}}`,
	}
}

func (in taskInput) line() (request, error) {
	if err := oneOf("op", in.Op, "add", "edit", "done", "accept", "reject", "cancel", "kill", "decompose"); err != nil {
		return request{}, err
	}
	if err := in.check(); err != nil {
		return request{}, err
	}
	w := words{"task", in.Op}
	w.set("supersede", in.Supersede)
	w.set("verdict", in.Verdict)
	w.set("artifact", in.Artifact)
	w.set("file", in.Files...)
	w.when("verified", in.Verified)
	w.when("cascade", in.Cascade)
	w.when("force", in.Force)
	w.when("dry-run", in.DryRun)
	line := commandLine{claim: in.Claim, kind: inprocess.Change}
	switch in.Op {
	case "accept": // ralph.accept = verified runs checks too
		line.kind = inprocess.Checks
		w.args(in.IDs...)
	case "done":
		w.set("reason", in.Reason)
		w.args(in.IDs...)
	case "add":
		w.args("-")
	case "edit", "decompose":
		w.args(in.IDs[0], "-")
	case "reject", "kill":
		w.args(in.IDs[0], in.Reason)
	default:
		w.args(in.IDs...)
	}
	if in.hasFields() {
		line.input = string(in.Fields)
	}
	line.words = w
	return request{commandLine: line}, nil
}

func (in taskInput) hasFields() bool {
	return in.Op == "add" || in.Op == "edit" || in.Op == "decompose"
}

// check demands what a command asks a person for, or takes from the plan: an agent names what it means.
func (in taskInput) check() error {
	if err := checkIDs(in.Op, in.IDs, in.Op == "done" || in.Op == "accept" || in.Op == "cancel"); err != nil {
		return err
	}
	switch empty := len(in.Fields) == 0; {
	case in.hasFields() && empty:
		return missing("fields", `a list such as [{"name": "…"}]`)
	case !in.hasFields() && !empty:
		return &cmdline.UsageError{Text: in.Op + " takes no fields"}
	case (in.Op == "reject" || in.Op == "kill") && in.Reason == "":
		return missing("reason", "why")
	}
	return nil
}

// checkIDs demands at least one id, or exactly one, for everything but add.
func checkIDs(op string, ids []string, many bool) error {
	switch {
	case op == "add" && len(ids) > 0:
		return &cmdline.UsageError{Text: `add takes no ids; a field "id" chooses one`}
	case op == "add":
		return nil
	case len(ids) == 0:
		return missing("ids", "one such as t-1a2b")
	case !many && len(ids) > 1:
		return &cmdline.UsageError{Text: fmt.Sprintf("%s takes one id, and %d are given", op, len(ids))}
	}
	return nil
}

type issueInput struct {
	Op       string   `json:"op"`
	IDs      []string `json:"ids"`
	Fields   fields   `json:"fields"`
	IntoTask bool     `json:"into_task"`
	DryRun   bool     `json:"dry_run"`
}

func issueTool() tool {
	return tool{
		name: "issue_change", request: reads(issueInput.line),
		about: "Change issues: what was found and has to be settled. add, edit: fields, as in task_change. done: closes ids.",
		schema: `{"type":"object","required":["op"],"properties":{"op":{"type":"string","enum":["add","edit","done"]},` + idsProperty +
			`,"fields":{"type":"array","items":{"type":"object"},"description":"desc, priority, labels, spec, …"},"into_task":{"type":"boolean","description":"done: make a task of each"},` + dryRunProperty + `}}`,
	}
}

func (in issueInput) line() (request, error) {
	if err := oneOf("op", in.Op, "add", "edit", "done"); err != nil {
		return request{}, err
	}
	if err := checkIDs(in.Op, in.IDs, in.Op == "done"); err != nil {
		return request{}, err
	}
	if in.Op != "done" && len(in.Fields) == 0 {
		return request{}, missing("fields", `a list such as [{"desc": "…"}]`)
	}
	w := words{"issue", in.Op}
	w.when("into-task", in.IntoTask)
	w.when("dry-run", in.DryRun)
	line := commandLine{kind: inprocess.Change}
	switch in.Op {
	case "add":
		w.args("-")
		line.input = string(in.Fields)
	case "edit":
		w.args(in.IDs[0], "-")
		line.input = string(in.Fields)
	default:
		w.args(in.IDs...)
	}
	line.words = w
	return request{commandLine: line}, nil
}
