package mcpserver

import (
	"context"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/inprocess"
	"git-ralph/internal/cli/planio"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/debuglog"
)

// calls runs the command lines of tools and resources.
type calls struct {
	env    *term.Env
	ctx    context.Context // ends with the server
	runner *inprocess.Runner
}

func newCalls(ctx context.Context, env *term.Env) *calls {
	return &calls{env: env, ctx: ctx, runner: inprocess.New(ctx, env)}
}

// A commandLine is one command to run for a caller.
type commandLine struct {
	words []string
	input string // standard input
	claim string // the token of the caller's claim; "" for none
	asks  string // the command that an intent comes from; "" for none
	kind  inprocess.Kind

	tool      string // that was called, and with what; "" for none
	arguments []byte
}

// noClaim is the token of a caller that has none. Without a token, a command would take those that the worktree knows, which may be
// another caller's.
const noClaim = "00000000"

// run runs a command line. Its messages call standard input what the caller knows it as.
func (c *calls) run(ctx context.Context, line commandLine) inprocess.Outcome {
	o := c.runner.Run(ctx, inprocess.Line{
		Words: line.words, Input: line.input, Environ: c.environ(line), Kind: line.kind, Ended: line.record,
	})
	for _, texts := range o.Messages {
		for i := range texts {
			texts[i] = strings.ReplaceAll(texts[i], term.StdinName, "fields")
		}
	}
	return o
}

// environ returns the environment of a command, which says whose call it is. A caller without a claim has the claim that the server was
// started with, as an agent of git ralph work is, or none. Where no command is named that an intent comes from, the server's own
// environment may say it.
func (c *calls) environ(line commandLine) []string {
	environ, token := slices.Clone(c.env.Environ), line.claim
	if token == "" && c.env.Getenv(planio.ClaimVariable) == "" {
		token = noClaim
	}
	if token != "" {
		environ = append(environ, planio.ClaimVariable+"="+token)
	}
	if line.asks != "" {
		environ = append(environ, "RALPH_COMMAND="+line.asks)
	}
	return environ
}

// record records a call in the debug log, if its command has opened one.
func (l commandLine) record(env *term.Env, o inprocess.Outcome, took time.Duration) {
	if env.Debug == nil || l.tool == "" {
		return
	}
	e := debuglog.Event{Category: debuglog.Tool, Name: l.tool, Params: debuglog.Arguments(l.arguments), Took: took, Exit: o.Exit}
	if o.Exit != cmdline.ExitDone && o.Exit != cmdline.ExitNothing {
		e.Type, e.Error = debuglog.ExitType(o.Exit), strings.Join(o.Messages["error"], "; ")
	}
	env.Debug.Record(e)
	env.Debug.Close()
}
