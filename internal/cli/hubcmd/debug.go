package hubcmd

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/debuglog"
	"git-ralph/internal/hub"
	"git-ralph/internal/hub/transport"
)

// A recorded is a connection whose requests are in the debug log.
type recorded struct {
	transport.Connection
	env *term.Env
}

// recording returns a connection with its requests in the debug log, where somebody has asked for that.
func recording(env *term.Env, c transport.Connection) transport.Connection {
	if env.Debug == nil {
		return c
	}
	return recorded{c, env}
}

// Describe is the request for what the hub says of itself.
func (r recorded) Describe(ctx context.Context) (text string, tools []string, err error) {
	began := r.env.Now()
	text, tools, err = r.Connection.Describe(ctx)
	e := debuglog.Event{Category: debuglog.API, Name: "hub describe", Took: r.env.Now().Sub(began)}
	if err != nil {
		e.Type, e.Error = "connection", err.Error()
	}
	r.env.Debug.Record(e)
	return text, tools, err
}

func (r recorded) Send(ctx context.Context, q hub.Request) (hub.Reply, error) {
	began := r.env.Now()
	reply, err := r.Connection.Send(ctx, q)
	e := debuglog.Event{Category: debuglog.API, Name: "hub " + cmp.Or(q.Tool, q.Method+" "+q.Path), Took: r.env.Now().Sub(began)}
	if body, failed := json.Marshal(q.Body); failed == nil && q.Body != nil {
		e.Params = debuglog.Arguments(body)
	}
	switch {
	case err != nil:
		e.Type, e.Error = "connection", err.Error()
	case reply.Status >= 400:
		e.Type, e.Error = "status "+strconv.Itoa(reply.Status), r.Mask(cmp.Or(reply.Reason, reply.Body))
	}
	r.env.Debug.Record(e)
	return reply, err
}
