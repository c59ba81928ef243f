// Package inprocess runs command lines of git ralph in a process that goes on after them, so that an action of a server or of a screen
// is what the command is: there is no second implementation. All but those that run checks are run in this process.
package inprocess

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"git-ralph/internal/cli"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/debuglog"
)

// A Runner runs command lines. Several goroutines may use it.
type Runner struct {
	env     *term.Env
	ctx     context.Context // ends with the process
	session string          // of the debug log
	running sync.WaitGroup
	places  map[Kind]chan struct{}
}

// A Kind says which commands a command waits for.
type Kind int

const (
	Query  Kind = iota // a few at a time, since each takes the memory of the plan
	Change             // one at a time: changes wait for each other here, and not for each other's locks
	Checks             // one at a time, beside changes, for they take minutes; in a process of its own
)

// maxQueries is how many queries run at once.
const maxQueries = 4

// New returns a Runner whose commands have the environment of a process, and end with ctx.
func New(ctx context.Context, env *term.Env) *Runner {
	return &Runner{env: env, ctx: ctx, session: debuglog.SessionName(time.Now(), os.Getpid()), places: map[Kind]chan struct{}{
		Query: make(chan struct{}, maxQueries), Change: make(chan struct{}, 1), Checks: make(chan struct{}, 1),
	}}
}

// Wait returns when no command runs any more.
func (r *Runner) Wait() { r.running.Wait() }

// A Line is one command line to run.
type Line struct {
	Words   []string // without the program's name
	Input   string   // standard input; commands that run checks read none
	Dir     string   // where the command is run; "" for the directory of the process
	Environ []string // the whole environment, KEY=value; nil for that of the process
	Kind    Kind

	// Ended is called when the command has ended, with what it found around it; nil: with nothing to do.
	Ended func(env *term.Env, o Outcome, took time.Duration)
}

// An Outcome is how a command ended.
type Outcome struct {
	Exit     int
	Output   string              // what it wrote to standard output, which is JSON for nearly all commands
	Messages map[string][]string // "error", "warning" and "hint"
}

// Run runs a command line. It waits for the commands that the command has to wait for.
func (r *Runner) Run(ctx context.Context, line Line) Outcome {
	r.running.Add(1)
	defer r.running.Done()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.ctx, func() { cancel(context.Cause(r.ctx)) })()
	place := r.places[line.Kind]
	select {
	case place <- struct{}{}:
		defer func() { <-place }()
	case <-ctx.Done():
		return failed(context.Cause(ctx))
	}
	if line.Kind == Checks {
		return r.runInOwnProcess(ctx, line)
	}
	return r.runHere(ctx, line)
}

// runHere runs a command line in this process. A bug in it ends the command, and not the process of all others.
func (r *Runner) runHere(ctx context.Context, line Line) (o Outcome) {
	defer func() {
		if bug := recover(); bug != nil {
			fmt.Fprintf(r.env.Err, "bug: %v\n%s", bug, debug.Stack()) //nolint:errcheck // the log of whoever started the process has it
			o = failed(fmt.Errorf("bug: %v", bug))
		}
	}()
	var out bytes.Buffer
	o = Outcome{Messages: map[string][]string{}}
	env := r.environment(line, &out, o.Messages)
	defer func(began time.Time) { line.ended(env, o, began) }(time.Now())
	o.Exit = cli.Main(ctx, append([]string{"git-ralph"}, line.Words...), env)
	o.Output = out.String()
	return o
}

func (l Line) ended(env *term.Env, o Outcome, began time.Time) {
	if l.Ended != nil {
		l.Ended(env, o, time.Since(began))
	}
}

// environment returns what a command finds around it: no terminal, and nobody to ask.
func (r *Runner) environment(line Line, out io.Writer, messages map[string][]string) *term.Env {
	var mu sync.Mutex
	env := &term.Env{
		Dir: r.env.Dir, Environ: r.env.Environ, In: strings.NewReader(line.Input), Out: out, Err: io.Discard,
		Width: term.DefaultWidth, Now: r.env.Now, Random: r.env.Random, Version: r.env.Version, LongLived: true, DebugSession: r.session,
		Message: func(sort, text string) {
			mu.Lock()
			defer mu.Unlock()
			messages[sort] = append(messages[sort], text)
		},
	}
	if line.Dir != "" {
		env.Dir = line.Dir
	}
	if line.Environ != nil {
		env.Environ = line.Environ
	}
	return env
}
