package mcpserver

import (
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/jsonl"
)

// The addresses of resources.
const (
	planResource = "ralph://plan"
	nextResource = "ralph://next"
	taskResource = "ralph://task/"
)

// jsonType is the media type of every resource.
const jsonType = "application/json"

func addResources(server *mcp.Server, c *calls) {
	server.AddResource(&mcp.Resource{URI: planResource, Name: "plan", MIMEType: jsonType, Description: "The stage, what comes next, and counts."}, c.read)
	server.AddResource(&mcp.Resource{URI: nextResource, Name: "next", MIMEType: jsonType, Description: "The next task."}, c.read)
	server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: taskResource + "{id}", Name: "task", MIMEType: jsonType, Description: "A task and its history."}, c.read)
}

// read returns a resource.
func (c *calls) read(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	line, ok := resourceLine(r.Params.URI)
	if !ok {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	o := c.run(ctx, line)
	result, err := jsonl.ParseValue(o.Output)
	if o.Exit != cmdline.ExitDone || err != nil {
		return nil, errors.New(term.Printable(cut(strings.Join(o.Messages["error"], "; "), maxMessage)))
	}
	text := term.Escaped(fit(result, maxReply))
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: jsonType, Text: text}}}, nil
}

// resourceLine returns the command that prints a resource, and whether there is one.
func resourceLine(uri string) (commandLine, bool) {
	switch id, isTask := strings.CutPrefix(uri, taskResource); {
	case uri == planResource:
		return commandLine{words: words{"status"}}, true
	case uri == nextResource:
		return commandLine{words: words{"query", "next"}}, true
	case isTask && id != "":
		return commandLine{words: words{"show", "--", id}}, true
	}
	return commandLine{}, false
}
