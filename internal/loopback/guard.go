package loopback

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// Local returns a handler that lets only requests through to next that come from this machine, name this server by an address of loopback or as localhost, and are not
// made by a page of another site. A name that somebody else's name server resolves to loopback is none of them.
func (l *Listeners) Local(next http.Handler) http.Handler {
	hosts := map[string]bool{}
	for _, name := range []string{"127.0.0.1", "[::1]", "localhost"} {
		hosts[fmt.Sprintf("%s:%d", name, l.Port())] = true
		hosts[name] = l.Port() == 80 // which browsers leave out
	}
	protected := http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !isLoopback(r.RemoteAddr):
			http.Error(w, "this server is for programs on its own machine", http.StatusForbidden)
		case !hosts[r.Host]:
			http.Error(w, fmt.Sprintf("invalid Host: want 127.0.0.1:%d, [::1]:%[1]d or localhost:%[1]d", l.Port()), http.StatusForbidden)
		default:
			protected.ServeHTTP(w, r)
		}
	})
}

func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	return err == nil && net.ParseIP(host).IsLoopback()
}

// A Guard lets only requests with a token through.
type Guard struct {
	Token   string
	Guessed func(n int64) // called when a wrong token was sent, with how many there were; may be nil

	guesses, delayed atomic.Int64
}

// Whoever guesses a token waits the longer the more were guessed. Whoever has it never waits.
const (
	guessDelay = 10 * time.Millisecond // for each wrong token until now
	maxDelay   = time.Second
	maxDelayed = 16 // at a time; further ones are refused at once
)

// Handler returns a handler that has next answer requests with the token.
func (g *Guard) Handler(next http.Handler) http.Handler {
	want := []byte("Bearer " + g.Token)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := r.Header.Get("Authorization")
		if subtle.ConstantTimeCompare([]byte(got), want) == 1 {
			markKnown(r.Context())
			next.ServeHTTP(w, r)
			return
		}
		if got != "" && !g.delay(r) {
			http.Error(w, "too many wrong tokens", http.StatusTooManyRequests)
			return
		}
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "missing or wrong token: want Authorization: Bearer TOKEN", http.StatusUnauthorized)
	})
}

// delay makes a guess wait, and reports false where too many do.
func (g *Guard) delay(r *http.Request) bool {
	n := g.guesses.Add(1)
	if g.Guessed != nil {
		g.Guessed(n)
	}
	defer g.delayed.Add(-1)
	if g.delayed.Add(1) > maxDelayed {
		return false
	}
	select {
	case <-time.After(min(time.Duration(n)*guessDelay, maxDelay)):
	case <-r.Context().Done():
	}
	return true
}
