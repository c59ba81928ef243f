package git

import (
	"context"
	"strings"

	"git-ralph/internal/proc"
)

// Pager returns the command that git shows long texts with, "" where git says none. dir need not be in a repository.
func Pager(ctx context.Context, dir string, environ []string) string {
	return variable(ctx, dir, environ, "GIT_PAGER")
}

// Editor returns the command that git lets users edit a text with, "" where git says none.
func Editor(ctx context.Context, dir string, environ []string) string {
	return variable(ctx, dir, environ, "GIT_EDITOR")
}

// variable asks git for one of its logical variables.
func variable(ctx context.Context, dir string, environ []string, name string) string {
	res, err := proc.Run(ctx, proc.Cmd{Name: "git", Args: []string{"var", name}, Dir: dir, Env: environ, Group: true})
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(res.Stdout), "\n")
}
