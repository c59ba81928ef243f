package hubcmd

import (
	"context"
	"errors"
	"fmt"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/cli/uicmd"
	"git-ralph/internal/hub"
	"git-ralph/internal/hub/target"
	"git-ralph/internal/hub/transport"
	"git-ralph/internal/safefile"
)

// A client is a connection to the hub of the user's repository. No other process sends meanwhile.
type client struct {
	hub.Client
	target.Target
	env  *term.Env
	conn transport.Connection
	held *safefile.Held
}

// open connects to the hub.
func open(ctx context.Context, env *term.Env) (*client, error) {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return nil, err
	}
	to, ok, err := target.Of(ctx, st.Repo())
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, &cmdline.HintedError{
			Err: errors.New("there is no State Hub"), Hint: "`git config ralph.hub.url URL` or `git config ralph.hub.mcp COMMAND` names one",
		}
	}
	conn, err := transport.Connect(ctx, transport.Options{
		Settings: to.Settings, Dir: to.Root, Environ: env.Environ, Version: env.BuildVersion(),
	})
	if err != nil {
		return nil, err
	}
	conn = recording(env, conn)
	held, err := to.Sending(ctx)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &client{
		Client: hub.Client{Conn: conn, Protocol: to.Protocol(), Store: to.Outbox}, Target: to, env: env, conn: conn, held: held,
	}, nil
}

func (c *client) close() {
	c.conn.Close()
	c.held.Release() //nolint:errcheck // the process's end releases it too
}

// sendAll sends the queue, and keeps when it may be tried again.
func (c *client) sendAll(ctx context.Context) hub.Result {
	r := c.Send(ctx)
	if r.Err == nil {
		return r
	}
	until := c.env.Now().Add(hub.Delay(r.Err))
	r.Err = errors.Join(r.Err, c.Change(func(s *hub.State) { s.Wait = until }))
	return r
}

// limited returns a context with the time limit of the command line, which a signal also ends.
func limited(ctx context.Context, o uicmd.HubOptions) (context.Context, context.CancelFunc) {
	if o.TimeLimit == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, o.TimeLimit, fmt.Errorf("the State Hub took more than %v", o.TimeLimit))
}
