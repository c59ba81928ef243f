package mcpserver

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/watch"
)

// A watcher notifies clients that subscribed to a resource when it has changed, whoever changed it.
type watcher struct {
	calls  *calls
	server *mcp.Server

	mu      sync.Mutex
	running bool
	seen    map[string]*watched // by the address of the resource
}

// watched is one resource that somebody subscribed to.
type watched struct {
	sessions map[*mcp.ServerSession]bool
	text     string // as it was last
}

// watchInterval is the time between two looks without a change: a lease ends by itself.
const watchInterval = time.Minute

func (w *watcher) subscribe(ctx context.Context, r *mcp.SubscribeRequest) error {
	line, ok := resourceLine(r.Params.URI)
	if !ok {
		return mcp.ResourceNotFoundError(r.Params.URI)
	}
	text := w.calls.run(ctx, line).Output
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen[r.Params.URI] == nil {
		w.seen[r.Params.URI] = &watched{sessions: map[*mcp.ServerSession]bool{}, text: text}
	}
	w.seen[r.Params.URI].sessions[r.Session] = true
	if !w.running {
		w.running = true
		go w.watch()
	}
	return nil
}

func (w *watcher) unsubscribe(_ context.Context, r *mcp.UnsubscribeRequest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if one := w.seen[r.Params.URI]; one != nil {
		delete(one.sessions, r.Session)
	}
	return nil
}

// watch looks at what is watched, now and whenever something has changed, until nothing is watched.
func (w *watcher) watch() {
	ctx, stop := context.WithCancel(w.calls.ctx)
	defer stop()
	env := *w.calls.env
	var changes <-chan watch.Change // where there is no repository, none comes
	if st, err := planio.Open(ctx, &env); err == nil {
		changes = watch.Plan(ctx, st)
	}
	for {
		uris, more := w.wanted()
		if !more {
			return
		}
		for _, uri := range uris {
			w.look(uri)
		}
		select {
		case <-ctx.Done():
			return
		case <-changes:
		case <-time.After(watchInterval):
		}
	}
}

// wanted returns what to look at. Sessions that have ended want nothing.
func (w *watcher) wanted() (uris []string, more bool) {
	live := slices.Collect(w.server.Sessions())
	w.mu.Lock()
	defer w.mu.Unlock()
	for uri, one := range w.seen {
		maps.DeleteFunc(one.sessions, func(s *mcp.ServerSession, _ bool) bool { return !slices.Contains(live, s) })
		if len(one.sessions) == 0 {
			delete(w.seen, uri)
		}
	}
	w.running = len(w.seen) > 0
	return slices.Collect(maps.Keys(w.seen)), w.running
}

// look reads one resource, and notifies the clients where it is another one than before.
func (w *watcher) look(uri string) {
	line, _ := resourceLine(uri)
	text := w.calls.run(w.calls.ctx, line).Output
	w.mu.Lock()
	one := w.seen[uri]
	changed := one != nil && one.text != text
	if changed {
		one.text = text
	}
	w.mu.Unlock()
	if changed {
		w.server.ResourceUpdated(w.calls.ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}) //nolint:errcheck // a client that has gone ends its session
	}
}
