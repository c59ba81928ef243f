package mcpserver

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/loopback"
)

// tokenVariable holds the token of requests, for clients that are configured once.
const tokenVariable = "GIT_RALPH_MCP_TOKEN"

// minToken is the shortest token that is accepted, in bytes.
const minToken = 20

// takeToken returns the token in the environment, "" for none, and the environment without it: commands start programs, which have
// no use for it.
func takeToken(environ []string) (token string, rest []string, err error) {
	rest = slices.DeleteFunc(slices.Clone(environ), func(pair string) bool {
		value, found := strings.CutPrefix(pair, tokenVariable+"=")
		if found {
			token = value
		}
		return found
	})
	if token != "" && (len(token) < minToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' })) {
		return "", rest, &cmdline.UsageError{
			Text: fmt.Sprintf("invalid %s: want %d or more printable characters without spaces", tokenVariable, minToken),
			Hint: "without it, a random token is printed",
		}
	}
	return token, rest, nil
}

// serveHTTP serves streamable HTTP on loopback until ctx ends.
func serveHTTP(ctx context.Context, env *term.Env, server *mcp.Server, port int, token string) error {
	listeners, err := loopback.Listen(port)
	if err != nil {
		return err
	}
	announce(env, listeners.Host(), &token)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	mux := http.NewServeMux()
	mux.Handle("/mcp", (&loopback.Guard{Token: token}).Handler(handler))
	return listeners.Serve(ctx, listeners.Local(mux))
}

// stopTimeout is how long a session may take to end, when the server does.
const stopTimeout = 5 * time.Second

// announce prints where the server is, and the token unless the user chose it.
func announce(env *term.Env, host string, token *string) {
	direct := *env
	direct.Out = env.Tty
	direct.WriteJSON(func(w term.Sink) {
		o := term.Object{Sink: w}
		o.Str("url", "http://"+host+"/mcp")
		if *token == "" {
			*token = loopback.NewToken()
			o.Str("token", *token)
		}
		o.End()
	})
}
