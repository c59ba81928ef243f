package mcpserver

import "git-ralph/internal/cli/inprocess"

import "strconv"

type claimInput struct {
	Op     string   `json:"op"`
	IDs    []string `json:"ids"`
	Role   string   `json:"role"`
	Count  int      `json:"count"`
	Lease  string   `json:"lease"`
	All    bool     `json:"all_or_none"`
	Force  bool     `json:"force"`
	DryRun bool     `json:"dry_run"`
	Claim  string   `json:"claim"`
	Limit  int      `json:"limit"`
	Cursor string   `json:"cursor"`
}

func claimTool() tool {
	return tool{
		name: "claim", request: reads(claimInput.line),
		about: "Say that you work on tasks, so that nobody else does. next: a ready task. take, steal: ids. renew, release: what your token claims. The reply " +
			"of next, take and steal has a token for each task: pass it as claim from then on.",
		schema: `{"type":"object","required":["op"],"properties":{"op":{"type":"string","enum":["next","take","renew","release","steal","list"]},` + idsProperty +
			`,"role":{"type":"string","enum":["analyst","builder","validator","integrator"]},"count":{"type":"integer"},"lease":{"type":"string","description":"such as 30m; default 1h"},` +
			`"all_or_none":{"type":"boolean"},"force":{"type":"boolean","description":"steal from a live holder"},` + dryRunProperty + `,` + claimProperty + `,` + pageProperties + `}}`,
	}
}

func (in claimInput) line() (request, error) {
	if err := oneOf("op", in.Op, "next", "take", "renew", "release", "steal", "list"); err != nil {
		return request{}, err
	}
	if (in.Op == "take" || in.Op == "steal") && len(in.IDs) == 0 {
		return request{}, missing("ids", "one such as t-1a2b")
	}
	if (in.Op == "renew" || in.Op == "release") && in.Claim == "" && len(in.IDs) == 0 {
		return request{}, missing("claim", "the token of your claim")
	}
	r := request{commandLine: commandLine{claim: in.Claim, kind: inprocess.Change}}
	w := words{"claim", in.Op}
	if in.Op == "take" {
		w = words{"claim"}
	}
	if in.Op == "list" {
		list, err := listed(in.Limit, in.Cursor, "", "id")
		r.list, r.kind = list, inprocess.Query
		if err != nil {
			return r, err
		}
	}
	w.set("role", in.Role)
	w.set("lease", in.Lease)
	if in.Count != 0 {
		w.set("count", strconv.Itoa(in.Count))
	}
	w.when("all-or-none", in.All)
	w.when("force", in.Force)
	w.when("dry-run", in.DryRun)
	w.when("all", in.Op == "release" && len(in.IDs) == 0)
	if len(in.IDs) > 0 {
		w.args(in.IDs...)
	}
	r.words = w
	return r, nil
}
