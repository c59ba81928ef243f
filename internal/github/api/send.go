package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// timeLimit is how long GitHub may take for one request; it ends its own queries after ten seconds.
const timeLimit = 60 * time.Second

// maxReply limits what is read of a reply, in bytes.
const maxReply = 32 << 20

// ErrTooLong says that a reply is longer than is read: a smaller page may not be.
var ErrTooLong = fmt.Errorf("GitHub's reply has more than %d MiB", maxReply>>20)

// A request is one call.
type request struct {
	operation  string
	method     string
	url        string
	body       []byte
	repeatable bool // doing it twice is the same as once
	change     bool
	variables  map[string]any // of a query, for whoever records calls
}

// A reply is what GitHub answered.
type reply struct {
	status int
	header http.Header
	body   []byte
	wire   int // the status that was sent; that of a confirmed reply is 304
}

func (r *reply) isOK() bool { return r.status >= 200 && r.status < 300 }

// do makes a request until there is a reply that is neither a limit nor, where the request may be repeated, a failure. A reply to a
// query may come from the cache.
func (c *Client) do(ctx context.Context, r request) (*reply, error) {
	p := &waitBudget{maxWait}
	for try := 1; ; try++ {
		got, err := c.once(ctx, r)
		if ctx.Err() != nil {
			return nil, c.uncertain(r, context.Cause(ctx))
		}
		if err == nil {
			if limit, ok := limitOf(got, c.options.Now()); ok {
				if err := c.wait(ctx, p, "GitHub's rate limit is reached", max(limit, time.Second)); err != nil {
					return nil, err
				}
				continue
			}
			if got.status < 500 {
				return got, nil
			}
			err = c.refused(r, got)
		}
		if errors.Is(err, ErrTooLong) || errors.Is(err, errNoToken) || try == maxTries || !r.repeatable && !isUnsent(err) {
			return nil, c.uncertain(r, err)
		}
		if err := c.wait(ctx, p, "GitHub did not answer", backoff(try)); err != nil {
			return nil, err
		}
	}
}

// uncertain returns the error of a request that failed without a whole reply.
func (c *Client) uncertain(r request, err error) error {
	if r.repeatable || isUnsent(err) || errors.Is(err, errNoToken) {
		return err
	}
	return &UncertainError{r.operation, err}
}

// once makes a request once.
func (c *Client) once(ctx context.Context, r request) (*reply, error) {
	if r.change {
		if err := c.pace(ctx); err != nil {
			return nil, err
		}
	}
	began := c.options.Now()
	got, err := c.send(ctx, r)
	if c.options.Called != nil {
		call := Call{Operation: r.operation, Variables: r.variables, Took: c.options.Now().Sub(began), Left: -1, Err: err}
		if got != nil {
			call.Status = got.wire
			if left, err := strconv.Atoi(got.header.Get("X-RateLimit-Remaining")); err == nil {
				call.Left = left
			}
		}
		c.options.Called(call)
	}
	return got, err
}

func (c *Client) send(ctx context.Context, r request) (*reply, error) {
	token, err := c.login.find(ctx, c.options.Target.Host)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeLimit, fmt.Errorf("it took more than %v", timeLimit))
	defer cancel()
	made, err := http.NewRequestWithContext(ctx, r.method, r.url, bytes.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	c.setHeader(made.Header, r, token)
	old, conditional := kept{}, false
	if r.method == http.MethodGet {
		if old, conditional = c.cache.get(r.url); conditional {
			made.Header.Set("If-None-Match", old.ETag)
		}
	}
	answer, err := c.http.Do(made)
	if err != nil {
		return nil, c.connectionError(ctx, err)
	}
	defer answer.Body.Close()
	body, err := readAll(answer)
	if err != nil {
		return nil, c.connectionError(ctx, err)
	}
	if c.login.filled.Password != "" {
		c.login.report(ctx, answer.StatusCode != http.StatusUnauthorized)
	}
	got := &reply{answer.StatusCode, answer.Header, body, answer.StatusCode}
	if got.isOK() && got.status != http.StatusNoContent && !json.Valid(body) {
		return got, fmt.Errorf("GitHub answered %d, but no JSON", got.status)
	}
	if r.method == http.MethodGet {
		c.confirm(got, r.url, old, conditional)
	}
	return got, nil
}

func (c *Client) setHeader(h http.Header, r request, token string) {
	h.Set("Authorization", "Bearer "+token)
	h.Set("Accept", "application/vnd.github+json")
	h.Set("X-GitHub-Api-Version", "2022-11-28")
	h.Set("User-Agent", "git-ralph/"+c.options.Version)
	if len(r.body) > 0 {
		h.Set("Content-Type", "application/json")
	}
}

// confirm puts the kept reply in the place of one that confirms it, and keeps a new one.
func (c *Client) confirm(got *reply, url string, old kept, conditional bool) {
	switch {
	case got.status == http.StatusNotModified && conditional:
		got.status, got.body = http.StatusOK, old.Body
		got.header.Set("Link", old.Link)
	case got.status == http.StatusOK:
		c.cache.put(kept{url, got.header.Get("ETag"), got.header.Get("Link"), got.body})
	}
}

// readAll reads a reply, which may be cut off.
func readAll(answer *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxReply+1))
	if err == nil && len(body) > maxReply {
		err = ErrTooLong
	}
	return body, err
}

// connectionError is why there is no whole reply. It names no URL, and has no secret.
func (c *Client) connectionError(ctx context.Context, err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return &connectionError{err, "GitHub did not answer: " + c.login.masked(err.Error())}
}

type connectionError struct {
	err  error
	text string
}

func (e *connectionError) Error() string { return e.text }

func (e *connectionError) Unwrap() error { return e.err }

// refused is the error of a reply.
func (c *Client) refused(r request, got *reply) error {
	e := &StatusError{Operation: r.operation, Status: got.status, Message: c.login.masked(messageOf(got.body))}
	if got.status >= 300 && got.status < 400 {
		e.Location = c.login.masked(got.header.Get("Location"))
	}
	return e
}
