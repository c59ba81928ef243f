package mcpserver

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
)

// maxMessage is how many characters of an error or hint are returned.
const maxMessage = 2000

// reply returns the result of a tool: {"exit", "result", "cursor", "error", "hint", "warnings"}, without what is empty.
func reply(o inprocess.Outcome, list *listing) *mcp.CallToolResult {
	var b strings.Builder
	out := term.Object{Sink: &b}
	out.Value("exit", fmt.Sprint(o.Exit))
	if result, err := jsonl.ParseValue(o.Output); err == nil {
		writeResult(&out, result, list)
	} else if text := strings.TrimSpace(o.Output); text != "" {
		out.Str("result", cut(text, maxReply/4))
	}
	for _, sort := range []string{"error", "hint"} {
		out.StrIf(sort, cut(strings.Join(o.Messages[sort], "\n"), maxMessage))
	}
	var warnings []string
	for _, w := range term.FirstOf(o.Messages["warning"]) {
		warnings = append(warnings, cut(w, maxMessage/len(levels())))
	}
	out.List("warnings", warnings)
	out.End()
	return &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: term.Escaped(b.String())}}, IsError: o.Exit != cmdline.ExitDone,
	}
}

func writeResult(out *term.Object, result jsonl.Value, list *listing) {
	if list == nil || list.member == "" && result.Kind() != jsonl.Array {
		out.Value("result", fit(result, maxReply))
		return
	}
	page, next := list.page(result)
	out.Value("result", page)
	out.StrIf("cursor", next)
}

// refused returns the outcome of a call whose input is wrong.
func refused(err error) inprocess.Outcome {
	messages := map[string][]string{"error": {err.Error()}}
	if usage, ok := err.(*cmdline.UsageError); ok && usage.Hint != "" { //nolint:errorlint // it is ours
		messages["hint"] = []string{usage.Hint}
	}
	return inprocess.Outcome{Exit: cmdline.ExitUsage, Messages: messages}
}
