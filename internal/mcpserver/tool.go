package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"git-ralph/internal/cli/cmdline"
)

// A tool is one command, or a few that belong together.
type tool struct {
	name, about string
	schema      string // of the input, as JSON; each word of it costs every agent
	readOnly    bool
	request     func(arguments json.RawMessage) (request, error)
}

// A request is a command line to run, and the list in its result that is returned page by page.
type request struct {
	commandLine
	list *listing // nil where the result is no list
}

// tools returns all tools, in the order in which they are listed.
func tools() []tool {
	return []tool{queryTool(), taskTool(), issueTool(), claimTool(), logTool(), showTool(), verifyTool(), pipelineTool(), collateTool(), statsTool()}
}

func (t tool) description() *mcp.Tool {
	return &mcp.Tool{
		Name: t.name, Description: t.about, InputSchema: json.RawMessage(t.schema),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: t.readOnly},
	}
}

// handler runs the command and returns its outcome. What fails is a result too, so that the agent sees why.
func (t tool) handler(c *calls) mcp.ToolHandler {
	return func(ctx context.Context, call *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r, err := t.request(call.Params.Arguments)
		if err != nil {
			return reply(refused(err), nil), nil
		}
		r.tool, r.arguments = t.name, call.Params.Arguments
		return reply(c.run(ctx, r.commandLine), r.list), nil
	}
}

// reads returns the request function of a tool whose input is an In.
func reads[In any](line func(In) (request, error)) func(json.RawMessage) (request, error) {
	return func(arguments json.RawMessage) (request, error) {
		var in In
		if len(bytes.TrimSpace(arguments)) == 0 {
			arguments = json.RawMessage("{}")
		}
		d := json.NewDecoder(bytes.NewReader(arguments))
		d.DisallowUnknownFields()
		if err := d.Decode(&in); err != nil {
			return request{}, &cmdline.UsageError{Text: "invalid arguments: " + strings.TrimPrefix(err.Error(), "json: ")}
		}
		if _, err := d.Token(); err != io.EOF { //nolint:errorlint // Token returns it as it is
			return request{}, &cmdline.UsageError{Text: "invalid arguments: want one JSON object"}
		}
		return line(in)
	}
}

// words builds a command line.
type words []string

// set adds a flag with a value that is not empty.
func (w *words) set(name string, values ...string) {
	for _, v := range values {
		if v != "" {
			*w = append(*w, "--"+name+"="+v)
		}
	}
}

// when adds a flag if it is wanted.
func (w *words) when(name string, wanted bool) {
	if wanted {
		*w = append(*w, "--"+name)
	}
}

// args adds arguments, whatever they look like.
func (w *words) args(values ...string) {
	*w = append(append(*w, "--"), values...)
}

// oneOf returns an error for a word that is none of those accepted.
func oneOf(name, value string, accepted ...string) error {
	for _, a := range accepted {
		if a == value {
			return nil
		}
	}
	return &cmdline.UsageError{Text: fmt.Sprintf("invalid %s %q: want one of %s", name, cut(value, 100), strings.Join(accepted, ", "))}
}

func missing(name, want string) error {
	return &cmdline.UsageError{Text: fmt.Sprintf("missing %s: want %s", name, want)}
}
