package mcpserver

import (
	"fmt"

	"git-ralph/internal/cli/cmdline"
)

type queryInput struct {
	What   string   `json:"what"`
	Status string   `json:"status"`
	Search string   `json:"search"`
	Spec   string   `json:"spec"`
	Labels []string `json:"labels"`
	Sort   string   `json:"sort"`
	Rev    string   `json:"rev"`
	Claim  string   `json:"claim"`
	Limit  int      `json:"limit"`
	Cursor string   `json:"cursor"`
}

func queryTool() tool {
	return tool{
		name: "query", readOnly: true, request: reads(queryInput.line),
		about: "Read the plan. next: what to do now, with the task's fields. status: stage and counts. tasks: filtered by status, search, spec, labels.",
		schema: `{"type":"object","required":["what"],"properties":{"what":{"type":"string","enum":["next","status","tasks","issues","conflicts"]},` +
			`"status":{"type":"string","enum":["pending","ready","blocked","done","killed","rejected"]},"search":{"type":"string"},"spec":{"type":"string"},` +
			`"labels":{"type":"array","items":{"type":"string"}},"sort":{"type":"string","description":"work, created, priority, name or id; -KEY reverses"},` +
			`"rev":{"type":"string","description":"the plan of this commit"},` + claimProperty + `,` + pageProperties + `}}`,
	}
}

// Properties that several tools have.
const (
	claimProperty  = `"claim":{"type":"string","description":"token of your claim"}`
	pageProperties = `"limit":{"type":"integer","description":"1-50, default 10"},"cursor":{"type":"string","description":"from the last reply"}`
	idsProperty    = `"ids":{"type":"array","items":{"type":"string"}}`
	dryRunProperty = `"dry_run":{"type":"boolean"}`
)

func (in queryInput) line() (request, error) {
	if err := oneOf("what", in.What, "next", "status", "tasks", "issues", "conflicts"); err != nil {
		return request{}, err
	}
	if in.What != "tasks" && (in.Status != "" || in.Search != "" || in.Spec != "" || len(in.Labels) > 0 || in.Sort != "") {
		return request{}, &cmdline.UsageError{Text: fmt.Sprintf("%s has no filters: status, search, spec, labels and sort are for tasks", in.What)}
	}
	list, err := listed(in.Limit, in.Cursor, "", "id")
	if err != nil {
		return request{}, err
	}
	r := request{list: list}
	var w words
	switch in.What {
	case "status":
		w, r.list = words{"status"}, nil
	case "next":
		w, r.list = words{"query", "next"}, nil
	case "tasks":
		w = words{"task", "list", "--limit=" + list.wanted()}
	default:
		w = words{"query", in.What}
	}
	w.set("status", in.Status)
	w.set("search", in.Search)
	w.set("spec", in.Spec)
	w.set("label", in.Labels...)
	w.set("sort", in.Sort)
	w.set("rev", in.Rev)
	r.commandLine = commandLine{words: w, claim: in.Claim}
	return r, nil
}
