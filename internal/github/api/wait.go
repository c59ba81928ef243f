package api

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	maxTries  = 5
	maxWait   = 15 * time.Minute // in one call; GitHub's limits may last an hour
	secondary = time.Minute      // what GitHub asks for where a reply names no time
	between   = time.Second      // what GitHub asks for between changes
	announce  = 10 * time.Second // how often a wait is reported
)

// backoff returns how long to wait before a request is repeated that failed n times.
func backoff(n int) time.Duration { return time.Second << (n - 1) }

// limitOf returns how long a reply asks to wait; ok is false where it does not. GitHub answers 403 or 429 where one of its limits is reached.
func limitOf(reply *reply, now time.Time) (wait time.Duration, ok bool) {
	if reply.status != http.StatusForbidden && reply.status != http.StatusTooManyRequests {
		return 0, false
	}
	if after, ok := retryAfter(reply.header.Get("Retry-After"), now); ok {
		return after, true
	}
	if reply.header.Get("X-RateLimit-Remaining") == "0" {
		return untilReset(reply, now), true
	}
	message := strings.ToLower(messageOf(reply.body))
	return secondary, reply.status == http.StatusTooManyRequests || strings.Contains(message, "rate limit") || strings.Contains(message, "abuse")
}

// retryAfter reads seconds, or a time, such as proxies send.
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 1<<30)) * time.Second, true
	}
	at, err := http.ParseTime(value)
	return max(0, at.Sub(now)), err == nil
}

// untilReset returns how long it is until GitHub counts anew.
func untilReset(reply *reply, now time.Time) time.Duration {
	at, err := strconv.ParseInt(reply.header.Get("X-RateLimit-Reset"), 10, 64)
	if err != nil {
		return secondary
	}
	return min(max(0, time.Unix(at, 0).Sub(now)), 24*time.Hour) + time.Second // whatever a server says, the sum has a place
}

// A waitBudget is how long one call may still wait.
type waitBudget struct{ left time.Duration }

// wait waits as long as GitHub asks for, and reports it. It fails where that is too long.
func (c *Client) wait(ctx context.Context, p *waitBudget, why string, d time.Duration) error {
	if d > p.left {
		return &LimitError{c.options.Now().Add(d)}
	}
	p.left -= d
	for d > 0 {
		if c.options.Waiting != nil {
			c.options.Waiting(why, d)
		}
		step := min(d, announce)
		if err := c.options.Sleep(ctx, step); err != nil {
			return err
		}
		d -= step
	}
	return nil
}

// pace waits until a second has gone by since the last change.
func (c *Client) pace(ctx context.Context) error {
	now := c.options.Now()
	if left := between - now.Sub(c.wrote); !c.wrote.IsZero() && left > 0 {
		if err := c.options.Sleep(ctx, min(left, between)); err != nil {
			return err
		}
		now = now.Add(left)
	}
	c.wrote = now
	return nil
}

// isUnsent reports whether no connection was made, so that nothing was sent.
func isUnsent(err error) bool {
	dial, ok := errors.AsType[*net.OpError](err)
	return ok && dial.Op == "dial"
}

// Pause waits between two looks at something that takes its time.
func (c *Client) Pause(ctx context.Context, d time.Duration) error { return c.options.Sleep(ctx, d) }
