package mcpserver

import "git-ralph/internal/cli/inprocess"

type verifyInput struct {
	IDs    []string `json:"ids"`
	All    bool     `json:"all"`
	At     string   `json:"at"`
	Replay bool     `json:"replay"`
	Since  string   `json:"since"`
	DryRun bool     `json:"dry_run"`
	Limit  int      `json:"limit"`
	Cursor string   `json:"cursor"`
}

func verifyTool() tool {
	return tool{
		name: "verify", request: reads(verifyInput.line),
		about: "Run the checks of done tasks, or of ids, on a commit in a worktree of its own. Only checks that a person allowed here are run. replay: run the " +
			"receipts of accepted tasks again.",
		schema: `{"type":"object","properties":{` + idsProperty + `,"all":{"type":"boolean"},"at":{"type":"string","description":"commit, default HEAD"},` +
			`"replay":{"type":"boolean"},"since":{"type":"string"},` + dryRunProperty + `,` + pageProperties + `}}`,
	}
}

func (in verifyInput) line() (request, error) {
	member := "results"
	if in.Replay {
		member = "receipts"
	}
	list, err := listed(in.Limit, in.Cursor, member, "id", "check", "commit", "at")
	if err != nil {
		return request{}, err
	}
	w := words{"verify"}
	w.when("all", in.All)
	w.set("at", in.At)
	w.when("replay", in.Replay)
	w.set("since", in.Since)
	w.when("dry-run", in.DryRun)
	if len(in.IDs) > 0 {
		w.args(in.IDs...)
	}
	return request{commandLine{words: w, kind: inprocess.Checks}, list}, nil
}
