package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"git-ralph/internal/hub"
	"git-ralph/internal/proc"
)

// Options are what a connection is made of.
type Options struct {
	Settings hub.Settings
	Dir      string        // where the hub's program runs
	Environ  []string      // of the hub's program, and of git
	Version  string        // of git ralph
	Limit    time.Duration // of one call, and of connecting; 0 for the default
}

// defaultLimit is how long a hub may take for one call: without it, one that accepts a call and does not answer would be waited for
// without end.
const defaultLimit = 30 * time.Second

func (o Options) limit() time.Duration { return cmp.Or(o.Limit, defaultLimit) }

// late is why a call is given up.
func (o Options) late() error { return fmt.Errorf("it took more than %v", o.limit()) }

// limited returns a context for one call.
func (o Options) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, o.limit(), o.late())
}

// A Connection is a hub.Conn that has to be closed.
type Connection interface {
	hub.Conn
	Close()
}

// Connect returns a connection to the hub of the settings. Nothing is sent yet.
func Connect(ctx context.Context, o Options) (Connection, error) {
	target := o.Settings.Target()
	if o.Settings.Protocol() == hub.MCP && !isURL(target) {
		words, err := proc.SplitWords(target)
		if err != nil || len(words) == 0 {
			return nil, fmt.Errorf("invalid ralph.hub.mcp %q: want a URL or a command", target)
		}
		return &mcpConn{options: o, command: words, login: &login{environ: o.Environ}}, nil
	}
	at, err := parseURL(target)
	if err != nil {
		return nil, err
	}
	own := &login{dir: o.Dir, environ: o.Environ, at: at}
	client := &http.Client{
		Transport:     limiter{&authorizer{base: http.DefaultTransport, login: own}},
		CheckRedirect: sameRequest,
	}
	if o.Settings.Protocol() == hub.REST {
		return &restConn{base: at, client: client, options: o, login: own}, nil
	}
	return &mcpConn{options: o, url: at, client: client, login: own}, nil
}

func isURL(target string) bool {
	return strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://")
}

// parseURL reads the URL of a hub. Its error does not repeat a password that is in it.
func parseURL(text string) (*url.URL, error) {
	at, err := url.Parse(text)
	switch {
	case err != nil || !isURL(text) || at.Host == "":
		return nil, errors.New("invalid URL of the State Hub: want https://HOST/…, or http://localhost:PORT/…")
	case at.User != nil:
		return nil, errors.New("invalid URL of the State Hub: it has a user name or password in it; want it without: a git credential helper or GIT_RALPH_HUB_TOKEN has them")
	}
	return at, nil
}

// sameRequest refuses redirects that lead to another host, away from https, or that make a change a query: the reply to that would
// look as if the change had been made.
func sameRequest(r *http.Request, via []*http.Request) error {
	const maxRedirects = 5
	first := via[0]
	if r.URL.Host != first.URL.Host || r.URL.Scheme != first.URL.Scheme || r.Method != first.Method || len(via) > maxRedirects {
		return http.ErrUseLastResponse
	}
	return nil
}
