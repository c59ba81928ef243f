package transport

import (
	"fmt"
	"io"
	"net/http"
)

// maxReply limits what is read of a reply, and of what a program says in a connection, in bytes: one without end would be read until memory ends.
const maxReply = 16 << 20

var errTooLong = fmt.Errorf("its reply has more than %d MiB", maxReply>>20)

// A limiter limits the replies to HTTP requests, whoever reads them.
type limiter struct{ base http.RoundTripper }

func (l limiter) RoundTrip(r *http.Request) (*http.Response, error) {
	reply, err := l.base.RoundTrip(r)
	if err == nil {
		reply.Body = struct {
			io.Reader
			io.Closer
		}{&limited{reply.Body, maxReply}, reply.Body}
	}
	return reply, err
}

// A limited is a reader that fails, and does not end, where there is more than it may read.
type limited struct {
	io.Reader
	left int
}

func (l *limited) Read(b []byte) (int, error) {
	n, err := l.Reader.Read(b[:min(len(b), l.left+1)])
	if l.left -= n; l.left < 0 {
		return 0, errTooLong
	}
	return n, err
}
