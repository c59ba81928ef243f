package githubcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/debuglog"
	"git-ralph/internal/github"
	"git-ralph/internal/github/api"
	"git-ralph/internal/safefile"
	"git-ralph/internal/store"
)

// A connection is the plan of the user's repository, and the repository at GitHub that it belongs to.
type connection struct {
	env    *term.Env
	store  *store.Store
	target github.Target
	client *api.Client
	dir    string // of the git directory: what may be lost

	requests int
	left     int // how many requests GitHub still allows; -1: it did not say
}

// connect opens the plan, and finds out which repository at GitHub it belongs to. Nothing is sent yet.
func connect(ctx context.Context, env *term.Env) (*connection, error) {
	st, err := planio.Open(ctx, env)
	if err != nil {
		return nil, err
	}
	config, err := st.Repo().Config(ctx)
	if err != nil {
		return nil, err
	}
	target, ok, err := github.TargetOf(config.Get, env.Getenv)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, &cmdline.HintedError{
			Err:  errors.New("no repository at GitHub is known: neither the remote origin nor a setting names one"),
			Hint: "`git config ralph.github.owner OWNER` and `git config ralph.github.repo REPO` name one",
		}
	}
	c := &connection{env: env, store: st, target: target, dir: filepath.Join(st.Repo().CommonDir(), "ralph", "github"), left: -1}
	options := api.Options{
		Target: target, Dir: env.Dir, Environ: env.Environ, Cache: filepath.Join(c.dir, "replies"), Version: env.BuildVersion(), Now: env.Now,
		Waiting: c.waiting, Called: c.called,
	}
	if pause := target.TestPause(env.Getenv); pause > 0 {
		options.Sleep = func(ctx context.Context, d time.Duration) error { return api.Sleep(ctx, min(d, pause)) }
	}
	c.client = api.New(options)
	return c, nil
}

// lock admits one process of the repository at a time. The error is a *safefile.HeldError where there is another one.
func (c *connection) lock() (*safefile.Held, error) {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return nil, err
	}
	return safefile.TryLock(filepath.Join(c.dir, "lock"), "github")
}

// waiting counts down on standard error while GitHub's limits are waited for.
func (c *connection) waiting(why string, left time.Duration) {
	c.env.Say("note", fmt.Sprintf("%s: going on in %v", why, left.Round(time.Second)))
}

// called counts a request, and records it in the debug log where there is one.
func (c *connection) called(call api.Call) {
	c.requests++
	if call.Left >= 0 {
		c.left = call.Left
	}
	if c.env.Debug == nil {
		return
	}
	event := debuglog.Event{Category: debuglog.API, Name: call.Operation, Took: call.Took, RateLeft: max(call.Left, 0)}
	if variables, err := json.Marshal(call.Variables); err == nil && len(call.Variables) > 0 {
		event.Params = debuglog.Arguments(variables)
	}
	switch {
	case call.Err != nil:
		event.Type, event.Error = "connection", call.Err.Error()
	case call.Status >= 400:
		event.Type, event.Error = "status "+strconv.Itoa(call.Status), "GitHub refused it"
	}
	c.env.Debug.Record(event)
}
