package mcpserver

import (
	"slices"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/inprocess"
)

type pipelineInput struct {
	Op      string   `json:"op"`
	Items   []string `json:"items"`
	Fields  fields   `json:"fields"`
	State   string   `json:"state"`
	Command string   `json:"command"`
	Reason  string   `json:"reason"`
	DryRun  bool     `json:"dry_run"`
	Limit   int      `json:"limit"`
	Cursor  string   `json:"cursor"`
}

func pipelineTool() tool {
	return tool{
		name: "pipeline", request: reads(pipelineInput.line),
		about: "Items on their way from an idea to merged code. position, streams, status: where they are. plan: adds all tasks that they need, at once. list, show, " +
			"add, edit, move: items. approve, reject (with reason): only what a person decided.",
		schema: `{"type":"object","required":["op"],"properties":{"op":{"type":"string","enum":["position","streams","plan","status","approve","reject","list","show","add","edit","move"]},` +
			`"items":{"type":"array","items":{"type":"string"},"description":"ids or GH-n"},"fields":{"type":"array","items":{"type":"object"},"description":"name, desc, estimate, parent, blocked_by, files, …"},` +
			`"state":{"type":"string","description":"move, list; or an intent such as __ESCALATE__, with reason"},"command":{"type":"string","description":"that an intent is of, such as plan"},` +
			`"reason":{"type":"string"},` + dryRunProperty + `,` + pageProperties + `}}`,
	}
}

// pipelineOps are those of `git ralph pipeline`, itemOps those of `git ralph item`.
func pipelineOps() []string {
	return []string{"position", "streams", "plan", "status", "approve", "reject"}
}

func itemOps() []string { return []string{"list", "show", "add", "edit", "move"} }

func (in pipelineInput) line() (request, error) {
	if err := in.check(); err != nil {
		return request{}, err
	}
	w := words{"item", in.Op}
	if slices.Contains(pipelineOps(), in.Op) {
		w[0] = "pipeline"
	}
	r := request{commandLine: commandLine{kind: inprocess.Query, asks: in.Command}}
	switch in.Op {
	case "plan", "approve", "reject", "add", "edit", "move":
		r.kind = inprocess.Change
		w.when("dry-run", in.DryRun)
	}
	var err error
	switch in.Op {
	case "status":
		r.list, err = listed(in.Limit, in.Cursor, "items", "id")
		w.args(in.Items...)
	case "list":
		r.list, err = listed(in.Limit, in.Cursor, "", "id")
		w.set("state", in.State)
	case "add":
		w.args("-")
	case "edit":
		w.args(in.Items[0], "-")
	case "move":
		w.set("reason", in.Reason)
		w.args(in.Items[0], in.State)
	case "reject":
		w.args(in.Items[0], in.Reason)
	default:
		w.args(in.Items...)
	}
	if in.Op == "add" || in.Op == "edit" {
		r.input = string(in.Fields)
	}
	r.words = w
	return r, err
}

// check demands what a command would ask for.
func (in pipelineInput) check() error {
	if err := oneOf("op", in.Op, slices.Concat(pipelineOps(), itemOps())...); err != nil {
		return err
	}
	one := in.Op == "reject" || in.Op == "edit" || in.Op == "move"
	switch {
	case len(in.Items) == 0 && in.Op != "status" && in.Op != "list" && in.Op != "add":
		return missing("items", "one such as GH-42")
	case one && len(in.Items) > 1:
		return &cmdline.UsageError{Text: in.Op + " takes one item"}
	case (in.Op == "add" || in.Op == "edit") && len(in.Fields) == 0:
		return missing("fields", `a list such as [{"name": "…"}]`)
	case in.Op == "move" && in.State == "":
		return missing("state", "where to move the item")
	case in.Op == "reject" && in.Reason == "":
		return missing("reason", "what is wrong with the plan")
	}
	return nil
}
