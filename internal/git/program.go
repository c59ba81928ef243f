package git

import (
	"context"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/debuglog"
	"git-ralph/internal/proc"
)

// Program is the git program, set up for one repository.
type Program struct {
	Path    string
	Dir     string   // working directory: the root of the worktree
	Environ []string // the caller's, as passed to Open
	Env     []string // for plumbing, see childEnviron

	supervision *Supervision // nil for none
	killed      func(began time.Time)

	Debug *debuglog.Recorder // records what happens; nil where nobody has asked for that
}

// Cmd describes one run of git's plumbing.
func (p *Program) Cmd(args ...string) proc.Cmd {
	return proc.Cmd{Name: p.Path, Args: args, Dir: p.Dir, Env: p.Env, Group: true}
}

// Run runs plumbing and returns its output without the last line break.
func (p *Program) Run(ctx context.Context, stdin []byte, args ...string) (string, error) {
	c := p.Cmd(args...)
	c.Stdin = stdin
	res, err := p.Exec(ctx, c)
	return strings.TrimSuffix(string(res.Stdout), "\n"), err
}

// Output runs plumbing and returns exactly what it printed.
func (p *Program) Output(ctx context.Context, args ...string) ([]byte, error) {
	res, err := p.Exec(ctx, p.Cmd(args...))
	return res.Stdout, err
}

// Exec runs a git command.
func (p *Program) Exec(ctx context.Context, c proc.Cmd) (proc.Result, error) {
	ctx = p.supervise(ctx, &c)
	p.Record(&c)
	res, err := proc.Run(ctx, c)
	return res, whyEnded(err)
}

// Start starts a git command that answers requests.
func (p *Program) Start(ctx context.Context, c proc.Cmd) (*proc.Conversation, error) {
	ctx = p.supervise(ctx, &c)
	p.Record(&c)
	return proc.Start(ctx, c)
}

// UserEnv returns the environment of commands that the user could have typed.
func (p *Program) UserEnv() []string {
	return slices.DeleteFunc(slices.Clone(p.Env), func(kv string) bool { return slices.Contains(plumbingVariables, kv) })
}

// RemoteCmd describes a command as the user would run it, which may use the network and never prompts.
func (p *Program) RemoteCmd(args ...string) proc.Cmd {
	c := p.Cmd(args...)
	c.Env = append(p.UserEnv(), "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true")
	return c
}

// Recording returns the repository with its git commands in a debug log.
func (r *Repo) Recording(log *debuglog.Recorder) *Repo {
	other, program := *r, *r.git
	program.Debug = log
	other.git = &program
	return &other
}

// Record prepares a command so that its end is recorded in the debug log.
func (p *Program) Record(c *proc.Cmd) {
	if p.Debug == nil {
		return
	}
	log, args, began, ended := p.Debug, c.Args, time.Now(), c.Ended
	c.Ended = func(err error) {
		if ended != nil {
			ended(err)
		}
		log.Record(eventOf(args, time.Since(began), err))
	}
}

// eventOf is what the debug log says of a command. Status 1 without a message is an answer, such as that of diff --quiet.
func eventOf(args []string, took time.Duration, err error) debuglog.Event {
	e := debuglog.Event{Category: debuglog.Git, Name: command(args), Params: debuglog.Words(args), Took: took}
	if err == nil {
		return e
	}
	e.Exit = proc.ExitCode(err)
	if message := proc.Messages(err); e.Exit != 1 || message != "" {
		e.Type, e.Error = debuglog.ExitType(e.Exit), err.Error()
	}
	return e
}
