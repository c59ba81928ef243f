package mcpserver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"git-ralph/internal/cli"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/debuglog"
)

// calls runs command lines.
type calls struct {
	env     *term.Env
	ctx     context.Context // ends with the server
	session string          // of the debug log
	running sync.WaitGroup
	places  map[kind]chan struct{}
}

// A kind says which commands a command waits for.
type kind int

const (
	query  kind = iota // a few at a time, since each takes the memory of the plan
	change             // one at a time: changes wait for each other here, and not for each other's locks
	checks             // one at a time, beside changes, for they take minutes; in a process of its own
)

// maxQueries is how many queries run at once.
const maxQueries = 4

func newCalls(ctx context.Context, env *term.Env) *calls {
	return &calls{env: env, ctx: ctx, session: debuglog.SessionName(time.Now(), os.Getpid()), places: map[kind]chan struct{}{
		query: make(chan struct{}, maxQueries), change: make(chan struct{}, 1), checks: make(chan struct{}, 1),
	}}
}

// wait returns when no command runs any more.
func (c *calls) wait() { c.running.Wait() }

// A commandLine is one command to run.
type commandLine struct {
	words []string
	input string // standard input
	claim string // the token of the caller's claim; "" for none
	asks  string // the command that an intent comes from; "" for none
	kind  kind

	tool      string // that was called, and with what
	arguments []byte
}

// An outcome is how a command ended.
type outcome struct {
	exit     int
	output   string // JSON
	messages map[string][]string
}

// noClaim is the token of a caller that has none. Without a token, a command would take those that the worktree knows, which may be
// another caller's.
const noClaim = "00000000"

// run runs a command line.
func (c *calls) run(ctx context.Context, line commandLine) outcome {
	c.running.Add(1)
	defer c.running.Done()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(c.ctx, func() { cancel(context.Cause(c.ctx)) })()
	place := c.places[line.kind]
	select {
	case place <- struct{}{}:
		defer func() { <-place }()
	case <-ctx.Done():
		return failed(context.Cause(ctx))
	}
	if line.kind == checks {
		return c.runInOwnProcess(ctx, line)
	}
	return c.runHere(ctx, line)
}

// runHere runs a command line in this process. A bug in it ends the call, and not the server of all others.
func (c *calls) runHere(ctx context.Context, line commandLine) (o outcome) {
	defer func() {
		if bug := recover(); bug != nil {
			fmt.Fprintf(c.env.Err, "bug: %v\n%s", bug, debug.Stack()) //nolint:errcheck // the agent's log has it
			o = failed(fmt.Errorf("bug: %v", bug))
		}
	}()
	var out bytes.Buffer
	o = outcome{messages: map[string][]string{}}
	env := c.environment(line, &out, o.messages)
	defer func(began time.Time) { record(env, line, o, began) }(time.Now())
	o.exit = cli.Main(ctx, append([]string{"git-ralph"}, line.words...), env)
	o.output = out.String()
	return o
}

// environment returns what a command finds around it: no terminal, and nobody to ask.
func (c *calls) environment(line commandLine, out io.Writer, messages map[string][]string) *term.Env {
	var mu sync.Mutex
	return &term.Env{
		Dir: c.env.Dir, Environ: slices.Concat(c.withClaim(line.claim), line.intent()), In: strings.NewReader(line.input), Out: out, Err: io.Discard,
		Width: term.DefaultWidth, Now: c.env.Now, Random: c.env.Random, Version: c.env.Version, LongLived: true, DebugSession: c.session,
		Message: func(sort, text string) {
			mu.Lock()
			defer mu.Unlock()
			messages[sort] = append(messages[sort], strings.ReplaceAll(text, term.StdinName, "fields"))
		},
	}
}

// intent returns what says which command asks for an intent; nothing where the server's own environment may say it.
func (l commandLine) intent() []string {
	if l.asks == "" {
		return nil
	}
	return []string{"RALPH_COMMAND=" + l.asks}
}

// withClaim returns the environment of a command whose caller has a claim. A caller without one has the claim that the server was
// started with, as an agent of git ralph work is, or none.
func (c *calls) withClaim(token string) []string {
	if token == "" && c.env.Getenv(planio.ClaimVariable) != "" {
		return c.env.Environ
	}
	if token == "" {
		token = noClaim
	}
	return append(slices.Clone(c.env.Environ), planio.ClaimVariable+"="+token)
}
