package loopback

import (
	"context"
	"io"
	"log"
	"net"
	"slices"
	"sync"
	"sync/atomic"
)

// crowd is the connections that are open, the oldest first.
type crowd struct {
	mu  sync.Mutex
	all []*member
}

// member is a connection of a crowd, until it is closed.
type member struct {
	net.Conn
	of    *crowd
	known atomic.Bool // a request on it had the token
}

// enter makes a connection a member. Where there are too many, it takes the place of the oldest one on which nobody has shown the token:
// strangers who hold connections open keep nobody out. It returns nil where all have.
func (c *crowd) enter(connection net.Conn) (entered, expelled *member) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) >= maxConnections {
		at := slices.IndexFunc(c.all, func(m *member) bool { return !m.known.Load() })
		if at < 0 {
			return nil, nil
		}
		expelled = c.all[at]
		c.all = slices.Delete(c.all, at, at+1)
	}
	entered = &member{Conn: connection, of: c}
	c.all = append(c.all, entered)
	return entered, expelled
}

// Close closes the connection, which is no member any more.
func (m *member) Close() error {
	m.of.mu.Lock()
	m.of.all = slices.DeleteFunc(m.of.all, func(o *member) bool { return o == m })
	m.of.mu.Unlock()
	return m.Conn.Close()
}

// limited is a listener whose connections are members of a crowd.
type limited struct {
	net.Listener
	crowd *crowd
}

func (l limited) Accept() (net.Conn, error) {
	for {
		connection, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		entered, expelled := l.crowd.enter(connection)
		if expelled != nil {
			expelled.Conn.Close() //nolint:errcheck // the server then ends its request
		}
		if entered != nil {
			return entered, nil
		}
		connection.Close() //nolint:errcheck // waiting for a place would keep those from being closed that have ended
	}
}

// memberKey is the key of a request's connection in its context.
type memberKey struct{}

func withMember(ctx context.Context, connection net.Conn) context.Context {
	return context.WithValue(ctx, memberKey{}, connection)
}

// markKnown records that a request had the token.
func markKnown(ctx context.Context) {
	if m, ok := ctx.Value(memberKey{}).(*member); ok {
		m.known.Store(true)
	}
}

// silent is a log of nothing: what strangers send wrongly is no message for the user's terminal.
func silent() *log.Logger { return log.New(io.Discard, "", 0) }
