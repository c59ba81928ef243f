package hub

import (
	"context"
	"errors"
	"slices"
)

// A Store keeps the state of one hub.
type Store interface {
	// View returns the state.
	View() (State, error)
	// Change changes the state. Nobody else changes it meanwhile, and it survives a power cut.
	Change(do func(*State)) error
}

// A Client talks to one hub.
type Client struct {
	Conn     Conn
	Protocol Protocol
	Store    Store
	tools    []string // of the hub; nil where it has not listed any
}

// errNoForm: the hub has no way to do an operation.
var errNoForm = errors.New("the State Hub offers no way to do this")

// do has the hub do an operation, in the form that it took last, else in the next one. make returns the values in a vocabulary.
func (c *Client) do(ctx context.Context, op operation, values func(Vocabulary) values) (Reply, error) {
	if err := c.ask(ctx); err != nil {
		return Reply{}, err
	}
	state, err := c.Store.View()
	if err != nil {
		return Reply{}, err
	}
	var last error = errNoForm
	for _, at := range c.order(state, op) {
		f := forms(c.Protocol, op)[at]
		reply, err := c.Conn.Send(ctx, f.request(values(f.Words)))
		if err != nil {
			return Reply{}, err
		}
		failed := failureOf(c.Protocol, reply, c.Conn.Mask)
		if failed == nil {
			return reply, c.took(state, op, at)
		}
		if last = failed; !failed.refused {
			break
		}
	}
	return Reply{}, last
}

// took keeps the form that the hub took.
func (c *Client) took(was State, op operation, at int) error {
	if kept, ok := was.Forms[string(op)]; ok && kept == at {
		return nil
	}
	return c.Store.Change(func(s *State) { s.Forms[string(op)] = at })
}

// order returns the forms of an operation in the order in which they are tried.
func (c *Client) order(s State, op operation) []int {
	all := forms(c.Protocol, op)
	var order []int
	for i, f := range all {
		if f.Tool == "" || c.tools == nil || slices.Contains(c.tools, f.Tool) {
			order = append(order, i)
		}
	}
	kept, isKept := s.Forms[string(op)]
	slices.SortStableFunc(order, func(a, b int) int {
		return cost(all[a], a, s.Words, kept, isKept) - cost(all[b], b, s.Words, kept, isKept)
	})
	return order
}

// cost is lower for a form that is tried sooner: the one that the hub took last, then those in the words that it lists.
func cost(f form, at int, words Vocabulary, kept int, isKept bool) int {
	switch {
	case isKept && at == kept:
		return 0
	case f.Words == words || words == "" || f.Words == "":
		return 1
	}
	return 2
}

// ask asks the hub once which words it uses, and over MCP each time which tools it has.
func (c *Client) ask(ctx context.Context) error {
	state, err := c.Store.View()
	if err != nil || state.Asked && (c.Protocol == REST || c.tools != nil) {
		return err
	}
	text, tools, err := c.Conn.Describe(ctx)
	if errors.Is(err, ErrNoAnswer) {
		return nil // the next time it may
	}
	if err != nil {
		return err
	}
	c.tools = tools
	if state.Asked {
		return nil
	}
	return c.Store.Change(func(s *State) { s.Asked, s.Words = true, vocabularyIn(text) })
}
