package uicmd

import (
	"context"
	"os"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
	"git-ralph/internal/ownprogram"
	"git-ralph/internal/proc"
	"git-ralph/internal/uiprogram"
)

// Interfaces are what the commands do in git-ralph-ui. In git-ralph each is nil.
type Interfaces struct {
	Board    func(context.Context, *term.Env, BoardOptions) error
	MCP      func(context.Context, *term.Env, MCPOptions) error
	Web      func(context.Context, *term.Env, WebOptions) error
	HubSync  func(context.Context, *term.Env, HubOptions) error
	HubCheck func(context.Context, *term.Env, HubOptions) error

	GitHubPull func(context.Context, *term.Env, GitHubOptions) error
	GitHubPush func(context.Context, *term.Env, GitHubOptions) error
	GitHubSync func(context.Context, *term.Env, GitHubOptions) error

	GitHubCollate func(context.Context, *term.Env, CollateOptions) error

	GitHubIntegrate func(context.Context, *term.Env, IntegrateOptions) error

	PullRequestCreate  func(context.Context, *term.Env, PullRequestOptions) error
	PullRequestMerge   func(context.Context, *term.Env, PullRequestOptions) error
	PullRequestAdvance func(context.Context, *term.Env, PullRequestOptions) error
}

// act returns what a command does: in git-ralph it has git-ralph-ui read the same command line.
func act[O any](do func(context.Context, *term.Env, O) error) func(O, context.Context, *term.Env) error {
	return func(o O, ctx context.Context, env *term.Env) error {
		if do == nil {
			return runProgram(env)
		}
		return do(ctx, env, o)
	}
}

// runProgram runs git-ralph-ui in the place of this process, with the command line that this process was given.
func runProgram(env *term.Env) error {
	own, err := os.Executable()
	if err != nil {
		own = "" // the PATH is left
	}
	path, err := ownprogram.Find(uiprogram.Name, own, env.Dir, env.Environ)
	if err != nil {
		return err
	}
	code, err := proc.Replace(path, env.Line, uiprogram.Environ(env.Environ, env.BuildVersion()))
	if err != nil {
		return &uiprogram.StartError{Path: path, Err: err}
	}
	return cmdline.StatusError(code)
}
