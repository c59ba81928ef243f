// Package loopback serves HTTP to programs of this user on this machine, and to nobody else: it listens on loopback alone, answers only
// requests that name it by an address of loopback, refuses those that pages of other sites make, and asks for a token.
package loopback

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Listeners accept connections at one port of loopback.
type Listeners struct {
	all []net.Listener // 127.0.0.1 first, then ::1 where this machine has it
}

// attempts is how many free ports of 127.0.0.1 are tried until one is found that is free at ::1 too.
const attempts = 20

// Listen listens at a port, or at any that is free for 0.
func Listen(port int) (*Listeners, error) {
	var err error
	for range attempts {
		var l *Listeners
		if l, err = listen(port); err == nil || port != 0 {
			return l, err
		}
	}
	return nil, err
}

func listen(port int) (*Listeners, error) {
	four, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, listenError(port, err)
	}
	l := &Listeners{all: []net.Listener{four}}
	port = l.Port()
	six, err := net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(port)))
	switch {
	case err == nil:
		l.all = append(l.all, six)
	case isInUse(err): // whoever has it would get what browsers send to localhost
		four.Close() //nolint:errcheck // nothing was accepted
		return nil, listenError(port, err)
	}
	return l, nil
}

func listenError(port int, err error) error {
	if isInUse(err) {
		return fmt.Errorf("port %d is in use by another program: choose another one with --port, or none for any that is free", port)
	}
	return fmt.Errorf("cannot listen: %w", err)
}

// Port returns the port.
func (l *Listeners) Port() int { return l.all[0].Addr().(*net.TCPAddr).Port } //nolint:forcetypeassert // it is TCP

// Host returns the host that URLs name, with the port.
func (l *Listeners) Host() string { return l.all[0].Addr().String() }

// Close ends the listening.
func (l *Listeners) Close() {
	for _, one := range l.all {
		one.Close() //nolint:errcheck // what it has not accepted is refused
	}
}

// NewToken returns a random token of 130 bits.
func NewToken() string { return rand.Text() }

// Limits of a server, for clients that send or read slowly, and for those that open connections without end: see crowd.
const (
	headTimeout    = 5 * time.Second // to read the head of a request
	idleTimeout    = 2 * time.Minute
	stopTimeout    = 5 * time.Second // for requests under way, when the server ends
	maxHead        = 16 << 10        // bytes
	maxConnections = 256
)

// Serve answers with a handler until ctx ends, and returns its cause. Requests under way, and streams, end with their contexts. How long
// a request may take is for the handler to say.
func (l *Listeners) Serve(ctx context.Context, handler http.Handler) error {
	requests, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	web := &http.Server{
		Handler: handler, ReadHeaderTimeout: headTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHead, BaseContext: func(net.Listener) context.Context { return requests }, ConnContext: withMember, ErrorLog: silent(),
	}
	served, all := make(chan error, len(l.all)), &crowd{}
	for _, one := range l.all {
		go func() { served <- web.Serve(limited{one, all}) }()
	}
	var err error
	select {
	case <-ctx.Done():
		err = context.Cause(ctx)
	case err = <-served:
	}
	end(err)
	stop(web)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func stop(web *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if web.Shutdown(ctx) != nil {
		web.Close() //nolint:errcheck // the process ends
	}
}
