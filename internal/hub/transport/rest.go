package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/hub"
)

// A restConn sends requests as JSON.
type restConn struct {
	base    *url.URL
	client  *http.Client
	options Options
	*login
}

func (c *restConn) Close() { c.client.CloseIdleConnections() }

// Describe returns the hub's OpenAPI document, where it has one.
func (c *restConn) Describe(ctx context.Context) (string, []string, error) {
	reply, err := c.Send(ctx, hub.Request{Method: "GET", Path: "/openapi.json"})
	switch {
	case err != nil:
		return "", nil, err
	case reply.Status == http.StatusOK && json.Valid([]byte(reply.Body)):
		return reply.Body, nil, nil
	case reply.Status < 400 || reply.Status >= 500 || reply.Status == http.StatusUnauthorized || reply.Status == http.StatusForbidden || reply.Status == http.StatusTooManyRequests:
		return "", nil, hub.ErrNoAnswer
	}
	return "", nil, nil // it has none
}

func (c *restConn) Send(ctx context.Context, r hub.Request) (hub.Reply, error) {
	ctx, cancel := c.options.limited(ctx)
	defer cancel()
	request, err := c.request(ctx, r)
	if err != nil {
		return hub.Reply{}, err
	}
	reply, err := c.client.Do(request)
	if err != nil {
		return hub.Reply{}, c.connectionError(ctx, err)
	}
	after := retryAfter(reply.Header.Get("Retry-After"))
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return hub.Reply{}, c.connectionError(ctx, err)
	}
	return hub.Reply{
		Status: reply.StatusCode, Reason: http.StatusText(reply.StatusCode), Location: reply.Header.Get("Location"), Body: string(body), After: after,
	}, nil
}

func (c *restConn) request(ctx context.Context, r hub.Request) (*http.Request, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = json.Marshal(r.Body); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, r.Method, strings.TrimSuffix(c.base.String(), "/")+r.Path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "git-ralph")
	if r.Body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}

// connectionError is an error without a reply. It is hub.ErrNotSent where no connection was made.
func (l *login) connectionError(ctx context.Context, err error) error {
	reason := withoutURL(err)
	if ctx.Err() != nil {
		reason = context.Cause(ctx)
	}
	if isUnreachable(err) {
		return l.masked(fmt.Errorf("%w: %w", hub.ErrNotSent, reason))
	}
	return l.masked(fmt.Errorf("the State Hub did not answer: %w", reason))
}

// isUnreachable reports whether no connection was made.
func isUnreachable(err error) bool {
	dial, ok := errors.AsType[*net.OpError](err)
	return ok && dial.Op == "dial"
}

// retryAfter reads the seconds of a header; 0 for anything else.
func retryAfter(value string) time.Duration {
	seconds, err := strconv.Atoi(value)
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
