package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"git-ralph/githooks"
	"git-ralph/internal/git/config"
	"git-ralph/internal/store"
)

// settings checks the settings of the hooks.
func (p Repository) settings(ctx context.Context) ([]Finding, error) {
	config, err := p.Store.Repo().Config(ctx)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, key := range githooks.Settings() {
		value, found := config.Get(key)
		values := githooks.Values(key)
		_, err := config.Bool(key, false)
		if !found || slices.Contains(values, value) || err == nil && slices.Contains(values, "true") {
			continue
		}
		findings = append(findings, Finding{
			Name: "settings", Level: Warning,
			Cause:  fmt.Sprintf("invalid setting %s %q: want %s; it counts as %s", key, value, githooks.Listed(values), values[0]),
			Repair: fmt.Sprintf("`git config %s %s` sets a valid value", key, values[0]),
		})
	}
	return findings, nil
}

// SettingFinding returns the finding for an invalid setting, which prevents every check that depends on it.
func SettingFinding(err error) (Finding, bool) {
	f := Finding{Name: "settings", Level: Error, Repair: "correct it; `git config --show-origin --get-all NAME` shows where it is set"}
	if !errors.Is(err, store.ErrConfig) && !errors.Is(err, config.ErrConfig) {
		return f, false
	}
	f.Cause = err.Error()
	return f, true
}
