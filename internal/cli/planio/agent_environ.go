package planio

import (
	"context"
	"fmt"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/git/config"
	"git-ralph/internal/install"
	"git-ralph/internal/mergedriver"
	"git-ralph/internal/store"
)

// MergeDriver returns the command line of the merge driver that ralph.mergeConflicts asks for.
func MergeDriver(settings *config.Config) (string, error) {
	switch value, _ := settings.Get("ralph.mergeConflicts"); value {
	case "", "record":
		return mergedriver.Command(false), nil
	case "stop":
		return mergedriver.Command(true), nil
	default:
		return "", fmt.Errorf("%w ralph.mergeConflicts %q: want record or stop", config.ErrConfig, value)
	}
}

// AgentEnviron returns the environment for agents: the caller's, in which git merges plans by their rules.
func AgentEnviron(ctx context.Context, e *term.Env, st *store.Store) ([]string, error) {
	settings, err := st.Repo().Config(ctx)
	if err != nil {
		return nil, err
	}
	driver, err := MergeDriver(settings)
	if err != nil {
		return nil, err
	}
	return install.Environ(ctx, install.Options{Repo: st.Repo(), PlanPath: st.PlanPath(), Driver: driver}, e.Environ)
}
