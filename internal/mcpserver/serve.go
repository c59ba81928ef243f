package mcpserver

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
)

// Serve serves until the input ends or ctx does. It returns when every call has ended.
func Serve(ctx context.Context, env *term.Env, o uicmd.MCPOptions) error {
	token, environ, err := takeToken(env.Environ)
	if err != nil {
		return err
	}
	own := *env
	own.Environ = environ
	if o.HTTP { // its callers are not whoever started the server
		own.Environ = slices.DeleteFunc(own.Environ, func(pair string) bool { return strings.HasPrefix(pair, planio.ClaimVariable+"=") })
	}
	serving, stop := context.WithCancelCause(ctx)
	calls := newCalls(serving, &own)
	defer calls.runner.Wait()
	defer stop(errEnded)
	server := newServer(calls)
	if o.HTTP {
		return serveHTTP(ctx, env, server, o.Port, token)
	}
	if env.Interactive {
		env.Hint("this speaks JSON-RPC with an agent that starts it; `git ralph help mcp` shows how")
	}
	err = runSession(ctx, server, &lineTransport{in: env.In, out: env.Tty})
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil
	}
	return err
}

// runSession runs a session until it ends or ctx does. A client that reads no more would keep the session from ending: it is left then.
func runSession(ctx context.Context, server *mcp.Server, t mcp.Transport) error {
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx, t) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(stopTimeout):
		return ctx.Err()
	}
}

// errEnded is why a command ends that runs when the server does.
var errEnded = errors.New("the session has ended")

const instructions = `The plan of this git repository: tasks and issues that agents and people work through. Begin with query (next), ` +
	`claim the task, work, and mark it done with task_change. A claim returns a token: pass it as "claim" in later calls. Every reply is ` +
	`{"exit", "result", "cursor", "error", "hint", "warnings"}: exit 0 is success; "cursor" continues a list that was cut.`

// newServer returns a server with all tools and resources.
func newServer(calls *calls) *mcp.Server {
	w := &watcher{calls: calls, seen: map[string]*watched{}}
	server := mcp.NewServer(&mcp.Implementation{Name: "git-ralph", Version: calls.env.BuildVersion()}, &mcp.ServerOptions{
		Instructions: strings.TrimSpace(instructions), Capabilities: &mcp.ServerCapabilities{},
		SubscribeHandler: w.subscribe, UnsubscribeHandler: w.unsubscribe,
	})
	w.server = server
	for _, t := range tools() {
		server.AddTool(t.description(), t.handler(calls))
	}
	addResources(server, calls)
	return server
}
