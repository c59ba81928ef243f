package mcpserver

type logInput struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	Spec   string `json:"spec"`
	Branch string `json:"branch"`
	Author string `json:"author"`
	Grep   string `json:"grep"`
	Since  string `json:"since"`
	Until  string `json:"until"`
	All    bool   `json:"all"`
	Limit  int    `json:"limit"`
	Cursor string `json:"cursor"`
}

func logTool() tool {
	return tool{
		name: "log", readOnly: true, request: reads(logInput.line),
		about: "What happened to tasks and issues, the newest first, from commits alone.",
		schema: `{"type":"object","properties":{"id":{"type":"string"},"status":{"type":"string"},"spec":{"type":"string"},"branch":{"type":"string"},` +
			`"author":{"type":"string"},"grep":{"type":"string"},"since":{"type":"string","description":"a date or commit"},"until":{"type":"string"},` +
			`"all":{"type":"boolean","description":"all branches"},` + pageProperties + `}}`,
	}
}

func (in logInput) line() (request, error) {
	list, err := listed(in.Limit, in.Cursor, "events", "commit", "id", "event")
	if err != nil {
		return request{}, err
	}
	w := words{"log", "--limit=" + list.wanted()}
	w.set("task", in.ID)
	w.set("status", in.Status)
	w.set("spec", in.Spec)
	w.set("branch", in.Branch)
	w.set("author", in.Author)
	w.set("grep", in.Grep)
	w.set("since", in.Since)
	w.set("until", in.Until)
	w.when("all", in.All)
	return request{commandLine{words: w}, list}, nil
}

type showInput struct {
	ID string `json:"id"`
}

func showTool() tool {
	return tool{
		name: "show", readOnly: true, request: reads(showInput.line),
		about:  "One task or issue, also one that left the plan: fields, attempts, why it was rejected, every change and its commit.",
		schema: `{"type":"object","required":["id"],"properties":{"id":{"type":"string"}}}`,
	}
}

func (in showInput) line() (request, error) {
	if in.ID == "" {
		return request{}, missing("id", "one such as t-1a2b")
	}
	w := words{"show"}
	w.args(in.ID)
	return request{commandLine: commandLine{words: w}}, nil
}
