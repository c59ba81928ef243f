package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"git-ralph/githooks"
	"git-ralph/internal/git"
	"git-ralph/internal/store"
)

// settings looks at what hooks are told to do.
func (p Patient) settings(ctx context.Context) ([]Finding, error) {
	config, err := p.Store.Repo().Config(ctx)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, key := range githooks.Settings() {
		given, found := config.Get(key)
		values := githooks.Values(key)
		_, err := config.Bool(key, false)
		if !found || slices.Contains(values, given) || err == nil && slices.Contains(values, "true") {
			continue
		}
		findings = append(findings, Finding{
			Name: "settings", Level: Warning,
			Cause: fmt.Sprintf("%s is %q, expected %s; it counts as %s", key, given, githooks.Listed(values), values[0]),
			Mend:  fmt.Sprintf("`git config %s %s` sets it right", key, values[0]),
		})
	}
	return findings, nil
}

// Misset tells of an error that is a setting's, and that keeps everything which depends on it from being looked at.
func Misset(err error) (Finding, bool) {
	f := Finding{Name: "settings", Level: Error, Mend: "set it right; `git config --show-origin --get-all` and its name tell where it stands"}
	if !errors.Is(err, store.ErrConfig) && !errors.Is(err, git.ErrConfig) {
		return f, false
	}
	f.Cause = err.Error()
	return f, true
}
