package mcpserver

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
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
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return fmt.Errorf("cannot listen: %w", err)
	}
	announce(env, listener.Addr(), &token)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	mux := http.NewServeMux()
	mux.Handle("/mcp", http.NewCrossOriginProtection().Handler(authorized(token, handler)))
	web := &http.Server{Handler: mux, ReadHeaderTimeout: readTimeout}
	stopped := context.AfterFunc(ctx, func() { stop(web) })
	defer stopped()
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return context.Cause(ctx)
}

// Time limits of the server.
const (
	readTimeout = 10 * time.Second // to read the head of a request
	stopTimeout = 5 * time.Second  // for requests under way, when the server ends; also for a session
)

func stop(web *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if web.Shutdown(ctx) != nil {
		web.Close() //nolint:errcheck // the process ends
	}
}

// announce prints where the server is, and the token unless the user chose it.
func announce(env *term.Env, at net.Addr, token *string) {
	direct := *env
	direct.Out = env.Tty
	direct.WriteJSON(func(w term.Sink) {
		o := term.Object{Sink: w}
		o.Str("url", "http://"+at.String()+"/mcp")
		if *token == "" {
			*token = rand.Text()
			o.Str("token", *token)
		}
		o.End()
	})
}

// authorized lets only requests with the token through.
func authorized(token string, next http.Handler) http.Handler {
	want := []byte("Bearer " + token)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), want) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "missing or wrong token: want Authorization: Bearer TOKEN", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
