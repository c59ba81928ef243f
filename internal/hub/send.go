package hub

import (
	"context"
	"errors"
	"slices"
	"time"

	"git-ralph/internal/workplan"
)

// A Result is what became of the queue.
type Result struct {
	Sent    []Entry
	Ahead   []Entry   // not sent, because the hub is further than the file
	Unknown []Entry   // milestones whose reply was lost, and which the hub offers no way to read back
	Refused []Refusal // those that stay in the queue, because the hub does not take them
	Left    int       // entries in the queue
	Err     error     // why sending ended before the queue did
}

// A Refusal is an entry that the hub does not take.
type Refusal struct {
	Entry
	Why error
}

// Send sends the queue in its order. An entry that the hub refuses stays, and what follows from it waits: the workstream and the
// milestone for the tasks. Whatever else fails ends it. No two processes may send at a time.
func (c *Client) Send(ctx context.Context) (r Result) {
	for {
		state, err := c.Store.View()
		if err != nil {
			r.Err = err
			return r
		}
		r.Left = len(state.Queue)
		e, ok := r.next(state.Queue)
		if !ok {
			return r
		}
		if n := doneTasks(state.Queue); len(n) >= minBulk && c.sendMany(ctx, state, n, &r) {
			continue
		}
		if err := c.send(ctx, e, &r); err != nil {
			if f, ok := errors.AsType[*failure](err); ok && f.refused {
				r.Refused = append(r.Refused, Refusal{e, err})
				continue
			}
			r.Err = err
			return r
		}
	}
}

// next returns the first entry that can be sent.
func (r *Result) next(queue []Entry) (Entry, bool) {
	var waits []string // workstreams
	for _, e := range queue {
		isRefused := slices.ContainsFunc(r.Refused, func(f Refusal) bool { return f.Seq == e.Seq })
		switch {
		case isRefused:
			waits = append(waits, e.Workstream)
		case e.Kind == Task || !slices.Contains(waits, e.Workstream):
			return e, true
		}
	}
	return Entry{}, false
}

// send sends one entry, and takes it out of the queue.
func (c *Client) send(ctx context.Context, e Entry, r *Result) error {
	if e.Kind == Milestone {
		return c.sendMilestone(ctx, e, r)
	}
	if e.Kind == Workstream || e.Status != workplan.Done && !e.Reopen {
		at, isRead, err := c.where(ctx, e)
		switch {
		case err != nil:
			return err
		case isBackwards(at, e.Status) && !e.Reopen:
			r.Ahead = append(r.Ahead, e)
			return c.settle(e, at)
		case isRead && e.Kind == Workstream && matches(e.Status, at): // an archived one stays archived
			r.Sent = append(r.Sent, e)
			return c.settle(e, at)
		}
	}
	// Should the reply be lost, it is known that the hub may be this far.
	if err := c.Store.Change(func(s *State) { s.raise(e) }); err != nil {
		return err
	}
	op := setTask
	if e.Kind == Workstream {
		op = setWorkstream
	}
	_, err := c.do(ctx, op, func(v Vocabulary) values { return values{ID: e.ID, Status: e.Kind.word(e.Status, v)} })
	if isUnclear(err) {
		if at, failed := c.read(ctx, e.Kind, e.ID); failed == nil && matches(e.Status, at) {
			err = nil
		}
	}
	if err != nil {
		return err
	}
	r.Sent = append(r.Sent, e)
	return c.settle(e, e.Status)
}

// raise keeps that the hub may soon say what an entry does, where that is further than what it says.
func (s *State) raise(e Entry) {
	if known, ok := s.Known[e.Key()]; !ok || isBackwards(e.Status, known) {
		s.Known[e.Key()] = e.Status
	}
}

// where returns what the hub says of an entry, or what it was sent last, where it cannot be read.
func (c *Client) where(ctx context.Context, e Entry) (at workplan.Status, isRead bool, err error) {
	at, err = c.read(ctx, e.Kind, e.ID)
	if !errors.Is(err, errUnreadable) {
		return at, err == nil, err
	}
	state, err := c.Store.View()
	return state.Known[e.Key()], false, err
}

// settle takes an entry out of the queue, and keeps what the hub says now.
func (c *Client) settle(e Entry, now workplan.Status) error {
	return c.Store.Change(func(s *State) {
		s.Known[e.Key()] = now
		s.remove(e)
	})
}

// sendMilestone sends an event that must not be there twice. Before it is sent, and where a reply was lost, it is looked for.
func (c *Client) sendMilestone(ctx context.Context, e Entry, r *Result) error {
	state, err := c.Store.View()
	if err != nil {
		return err
	}
	found, err := c.hasMilestone(ctx, e)
	switch {
	case errors.Is(err, errUnreadable):
		if state.Known[e.Key()] == trying {
			r.Unknown = append(r.Unknown, e)
			return c.settle(e, unknown)
		}
	case err != nil:
		return err
	case found:
		r.Sent = append(r.Sent, e)
		return c.settle(e, sent)
	}
	if err := c.Store.Change(func(s *State) { s.Known[e.Key()] = trying }); err != nil {
		return err
	}
	_, err = c.do(ctx, addEvent, func(Vocabulary) values { return values{ID: e.Workstream, Event: e.Event, Key: e.ID} })
	if isUnclear(err) {
		if found, failed := c.hasMilestone(ctx, e); failed == nil && found {
			err = nil
		}
	}
	if err == nil {
		r.Sent = append(r.Sent, e)
		return c.settle(e, sent)
	}
	if isNotReceived(err) {
		return errors.Join(err, c.Store.Change(func(s *State) { delete(s.Known, e.Key()) }))
	}
	return err
}

// isUnclear reports whether a hub answered that it did something, and not how hubs do. Then what can be read of it counts.
func isUnclear(err error) bool {
	f, ok := errors.AsType[*failure](err)
	return ok && f.unclear
}

// isNotReceived reports whether a call that failed has certainly changed nothing.
func isNotReceived(err error) bool {
	f, isReply := errors.AsType[*failure](err)
	return isReply && !f.maybe || errors.Is(err, ErrNotSent) || errors.Is(err, errNoForm)
}

// Delay returns how long to wait after a failure before something is sent that no user asked for.
func Delay(err error) time.Duration {
	const short, long = 30 * time.Second, time.Hour
	if f, ok := errors.AsType[*failure](err); ok && f.after > 0 {
		return min(f.after, long)
	}
	return short
}
