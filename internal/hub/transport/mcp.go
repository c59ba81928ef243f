package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"git-ralph/internal/hub"
	"git-ralph/internal/proc"
)

// An mcpConn calls the tools of a hub. It connects when the first one is called, and again where the connection ended.
type mcpConn struct {
	options Options
	command []string     // stdio, or
	url     *url.URL     // streamable HTTP and SSE
	client  *http.Client // for these
	*login

	session *mcp.ClientSession
	program *proc.Conversation
	end     context.CancelCauseFunc // of the connection
}

func (c *mcpConn) Close() {
	if c.session != nil {
		c.session.Close() //nolint:errcheck // whatever was answered was read
		c.session = nil
	}
	if c.program != nil {
		c.program.Kill()
		c.program = nil
	}
	if c.end != nil {
		c.end(nil)
		c.end = nil
	}
}

// Describe returns the hub's tools and their schemas.
func (c *mcpConn) Describe(ctx context.Context) (string, []string, error) {
	session, err := c.connected(ctx)
	if err != nil {
		return "", nil, err
	}
	var all []*mcp.Tool
	names := []string{}
	ctx, cancel := c.options.limited(ctx)
	defer cancel()
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			c.Close()
			return "", nil, c.connectionError(ctx, err)
		}
		all, names = append(all, tool), append(names, tool.Name)
	}
	text, err := json.Marshal(all)
	return string(text), names, err
}

// Send calls a tool.
func (c *mcpConn) Send(ctx context.Context, r hub.Request) (hub.Reply, error) {
	session, err := c.connected(ctx)
	if err != nil {
		return hub.Reply{}, err
	}
	ctx, cancel := c.options.limited(ctx)
	defer cancel()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: r.Tool, Arguments: r.Body})
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return errorReply(wire), nil
	}
	if err != nil {
		c.Close()
		return hub.Reply{}, c.connectionError(ctx, err)
	}
	return replyOf(result)
}

// errorReply is a reply to a call that the protocol refused.
func errorReply(e *jsonrpc.Error) hub.Reply {
	switch {
	case e.Code == jsonrpc.CodeMethodNotFound || strings.Contains(strings.ToLower(e.Message), "tool"):
		return hub.Reply{Status: http.StatusNotFound, Body: e.Message}
	case e.Code == jsonrpc.CodeInvalidParams:
		return hub.Reply{Status: http.StatusUnprocessableEntity, Body: e.Message}
	}
	return hub.Reply{Status: http.StatusInternalServerError, Body: e.Message}
}

// replyOf is a reply with the text of a result, or its structured content where it has no text.
func replyOf(result *mcp.CallToolResult) (hub.Reply, error) {
	text := ""
	for _, part := range result.Content {
		if t, ok := part.(*mcp.TextContent); ok {
			text += t.Text
		}
	}
	if text == "" && result.StructuredContent != nil {
		structured, err := json.Marshal(result.StructuredContent)
		if err != nil {
			return hub.Reply{}, err
		}
		text = string(structured)
	}
	if result.IsError {
		wrapped, err := json.Marshal(map[string]string{"error": text})
		return hub.Reply{Status: http.StatusOK, Body: string(wrapped)}, err
	}
	return hub.Reply{Status: http.StatusOK, Body: text}, nil
}

// connected returns the session.
func (c *mcpConn) connected(ctx context.Context) (*mcp.ClientSession, error) {
	if c.session != nil {
		return c.session, nil
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "git-ralph", Version: c.options.Version}, nil)
	var last error
	for _, transport := range c.transports() {
		if last = c.connect(ctx, client, transport); last == nil {
			return c.session, nil
		}
		c.session = nil
		c.Close()
		if isUnreachable(last) {
			break
		}
	}
	return nil, c.masked(fmt.Errorf("%w: %w", hub.ErrNotSent, withoutURL(last)))
}

// connect connects in one way. What is read from the hub may end with the context that it began with, so that is not ended by a
// limit once the hub has answered.
func (c *mcpConn) connect(ctx context.Context, client *mcp.Client, way func(context.Context) (mcp.Transport, error)) error {
	ctx, end := context.WithCancelCause(ctx)
	c.end = end
	limit := time.AfterFunc(c.options.limit(), func() { end(c.options.late()) })
	defer limit.Stop()
	t, err := way(ctx)
	if err == nil {
		c.session, err = client.Connect(ctx, t, nil)
	}
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// withoutURL returns the reason of an error, which names no URL.
func withoutURL(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return err
}

// transports returns the ways to connect, in the order in which they are tried.
func (c *mcpConn) transports() []func(context.Context) (mcp.Transport, error) {
	if c.url == nil {
		return []func(context.Context) (mcp.Transport, error){c.stdio}
	}
	streamable := func(context.Context) (mcp.Transport, error) {
		return &mcp.StreamableClientTransport{
			Endpoint: c.url.String(), HTTPClient: c.client, MaxRetries: -1, DisableStandaloneSSE: true,
		}, nil
	}
	sse := func(context.Context) (mcp.Transport, error) {
		return &mcp.SSEClientTransport{Endpoint: c.url.String(), HTTPClient: c.client}, nil
	}
	if strings.HasSuffix(strings.TrimSuffix(c.url.Path, "/"), "/sse") {
		return []func(context.Context) (mcp.Transport, error){sse, streamable}
	}
	return []func(context.Context) (mcp.Transport, error){streamable, sse}
}

// stdio starts the hub's program. It ends with the connection.
func (c *mcpConn) stdio(context.Context) (mcp.Transport, error) {
	program, err := proc.Start(context.Background(), proc.Cmd{
		Name: c.command[0], Args: c.command[1:], Dir: c.options.Dir, Env: c.options.Environ, Group: true,
	})
	if err != nil {
		return nil, err
	}
	c.program = program
	return &mcp.IOTransport{Reader: programOutput{&limited{program.Out, maxReply}}, Writer: programInput{program}}, nil
}

// programOutput and programInput are the streams of a program.
type (
	programOutput struct{ io.Reader }
	programInput  struct{ *proc.Conversation }
)

func (p programOutput) Close() error { return nil }
func (p programInput) Close() error {
	p.CloseInput()
	return nil
}
