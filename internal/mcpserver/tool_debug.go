package mcpserver

import "git-ralph/internal/cli/inprocess"

type collateInput struct {
	Since  string `json:"since"`
	DryRun bool   `json:"dry_run"`
}

func collateTool() tool {
	return tool{
		name: "collate_debug", request: reads(collateInput.line),
		about:  "Makes an issue of each kind of failure in the debug log, or counts it there.",
		schema: `{"type":"object","properties":{"since":{"type":"string","description":"24h, a date, a commit"},` + dryRunProperty + `}}`,
	}
}

func (in collateInput) line() (request, error) {
	w := words{"debug", "collate"}
	w.set("since", in.Since)
	w.when("dry-run", in.DryRun)
	return request{commandLine: commandLine{words: w, kind: inprocess.Change}}, nil
}

type statsInput struct {
	Since  string `json:"since"`
	By     string `json:"by"`
	Limit  int    `json:"limit"`
	Cursor string `json:"cursor"`
}

func statsTool() tool {
	return tool{
		name: "debug_stats", readOnly: true, request: reads(statsInput.line),
		about: "Calls, errors and durations in the debug log.",
		schema: `{"type":"object","properties":{"since":{"type":"string"},"by":{"type":"string","enum":["tool","category","day"]},` +
			pageProperties + `}}`,
	}
}

func (in statsInput) line() (request, error) {
	list, err := listed(in.Limit, in.Cursor, "groups", "name")
	w := words{"debug", "stats"}
	w.set("since", in.Since)
	w.set("by", in.By)
	return request{commandLine{words: w}, list}, err
}
