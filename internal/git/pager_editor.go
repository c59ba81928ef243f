package git

import (
	"context"
	"strings"

	"git-ralph/internal/proc"
)

// Pager returns the command with which git shows long texts, "" if git has none. dir need not be in a repository.
func Pager(ctx context.Context, dir string, environ []string) string {
	return variable(ctx, dir, environ, "GIT_PAGER")
}

// Editor returns the command with which git lets users edit a text, "" if git has none.
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
