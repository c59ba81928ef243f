package web

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"time"
)

// Limits of streams.
const (
	maxStreams = 32
	heartbeat  = 15 * time.Second // between two signs of life
	sendTime   = 10 * time.Second // to send an event: a browser that reads no more is left
)

// live answers with a stream of server-sent events: "change", whose data are the version of a worktree, or of all of them, at once and
// whenever it is another one. The page then asks again for what it shows, so that nothing is missed however long it was away.
func (s *server) live(w http.ResponseWriter, r *http.Request) {
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		reply(w, http.StatusServiceUnavailable, failure{Error: fmt.Sprintf("there are %d streams already", maxStreams), Hint: "close some tabs"})
		return
	}
	state, leave, err := s.follow(r)
	if err != nil {
		fail(w, err)
		return
	}
	defer leave()
	w.Header().Set("Content-Type", "text/event-stream")
	alive := time.NewTicker(heartbeat)
	defer alive.Stop()
	for sent := ""; ; {
		version, changed := state()
		event := ": alive\n\n"
		if version != sent {
			sent = version
			event = fmt.Sprintf("event: change\nid: %s\ndata: {\"version\": %[1]q}\n\n", sent)
		}
		setDeadlines(w, 0, sendTime)
		if _, err := w.Write([]byte(event)); err != nil || http.NewResponseController(w).Flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-alive.C:
			if s.busy.Swap(false) {
				debug.FreeOSMemory() // replies are large, and there may be none for hours
			}
		case <-r.Context().Done():
			return
		}
	}
}

// follow follows the worktree that a request names, or all of them together. It returns the state, and what ends it.
func (s *server) follow(r *http.Request) (state func() (string, <-chan struct{}), leave func(), err error) {
	if r.URL.Query().Has("all") {
		return s.overview.state, s.overview.versions.follow(s.places.ctx, s.overview.watch), nil
	}
	p, release, err := s.places.get(r.Context(), r.URL.Query().Get("worktree"))
	if err != nil {
		return nil, nil, err
	}
	unfollow := p.follow()
	return p.state, func() { unfollow(); release() }, nil
}
