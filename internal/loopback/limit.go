package loopback

import (
	"io"
	"log"
	"net"
	"sync"
)

// limited is a listener whose connections have to find a place.
type limited struct {
	net.Listener
	places chan struct{}
}

func (l limited) Accept() (net.Conn, error) {
	for {
		connection, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.places <- struct{}{}:
			return &placed{Conn: connection, leave: sync.OnceFunc(func() { <-l.places })}, nil
		default: // waiting for a place would keep those from being closed that have ended
			connection.Close() //nolint:errcheck // it was not used
		}
	}
}

// placed is a connection that has a place until it is closed.
type placed struct {
	net.Conn
	leave func()
}

func (p *placed) Close() error {
	defer p.leave()
	return p.Conn.Close()
}

// silent is a log of nothing: what strangers send wrongly is no message for the user's terminal.
func silent() *log.Logger { return log.New(io.Discard, "", 0) }
