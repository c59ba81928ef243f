package uicmd

import (
	"context"

	"git-ralph/internal/cli/cmdline"
	"git-ralph/internal/cli/term"
)

// CollateOptions are the command line of `git ralph debug collate --github`.
type CollateOptions struct {
	Since  string // in the words of the command line
	DryRun bool
	Format cmdline.Format
}

// CollateAtGitHub is `git ralph debug collate --github`.
func (i Interfaces) CollateAtGitHub(o CollateOptions, ctx context.Context, env *term.Env) error {
	return act(i.GitHubCollate)(o, ctx, env)
}
