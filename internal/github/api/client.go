package api

import (
	"context"
	"net/http"
	"time"

	"git-ralph/internal/github"
)

// Options are what a client is made of.
type Options struct {
	Target  github.Target
	Dir     string   // where credential helpers run
	Environ []string // may have the token
	Cache   string   // a directory for replies that GitHub may confirm instead of sending them again; "": none
	Version string   // of git ralph

	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error // waits; nil: by the clock

	// Waiting is called before, and from time to time during, a wait that GitHub asks for; nil: nothing is called.
	Waiting func(why string, left time.Duration)
	// Called is called after each request; nil: nothing is called.
	Called func(Call)
}

// A Call is a request that was made.
type Call struct {
	Operation string         // such as "GET /repos/o/r/issues", or the name of a query
	Variables map[string]any // of a query
	Status    int            // 0: there was no reply
	Took      time.Duration
	Left      int // how many requests GitHub still allows for now; -1: it did not say
	Err       error
}

// A Client talks to GitHub for one process. It makes one request at a time.
type Client struct {
	options Options
	http    *http.Client
	login   *login
	cache   cache
	wrote   time.Time // when the last change was sent
}

// New returns a client. Nothing is sent yet.
func New(o Options) *Client {
	if o.Sleep == nil {
		o.Sleep = Sleep
	}
	return &Client{
		options: o, cache: cache{o.Cache}, login: &login{dir: o.Dir, environ: o.Environ, at: o.Target.REST()},
		http: &http.Client{CheckRedirect: sameRequest},
	}
}

// Target returns the repository that the client is for.
func (c *Client) Target() github.Target { return c.options.Target }

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

// Sleep waits by the clock. The error is why ctx ended.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
