package git

import (
	"context"
	"slices"
	"strings"
	"time"

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
	res, err := proc.Run(ctx, c)
	return res, whyEnded(err)
}

// Start starts a git command that answers requests.
func (p *Program) Start(ctx context.Context, c proc.Cmd) (*proc.Conversation, error) {
	return proc.Start(p.supervise(ctx, &c), c)
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
