package hub

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"git-ralph/internal/workplan"
)

// errUnreadable: the hub offers no way to read it.
var errUnreadable = errors.New("the State Hub offers no way to read it")

// read returns the status of a task or workstream in the hub. The error is errUnreadable where it cannot be read.
func (c *Client) read(ctx context.Context, k Kind, id string) (workplan.Status, error) {
	op := readTask
	if k == Workstream {
		op = readWorkstream
	}
	reply, err := c.do(ctx, op, func(Vocabulary) values { return values{ID: id} })
	if err != nil {
		return "", unreadable(err)
	}
	word := statusIn(reply.Body, id)
	status := k.status(word)
	if status == "" {
		return "", fmt.Errorf("%w: its answer has no known status: %q", errUnreadable, short(word, c.Conn.Mask))
	}
	return status, nil
}

// hasMilestone reports whether the hub has an event with our key.
func (c *Client) hasMilestone(ctx context.Context, e Entry) (bool, error) {
	reply, err := c.do(ctx, readEvents, func(Vocabulary) values { return values{ID: e.Workstream} })
	if err != nil {
		return false, unreadable(err)
	}
	return strings.Contains(reply.Body, e.ID), nil
}

// unreadable marks the errors of a hub that answers, and does not offer this.
func unreadable(err error) error {
	if f, ok := errors.AsType[*failure](err); ok && f.refused || errors.Is(err, errNoForm) {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	return err
}
