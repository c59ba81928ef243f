package install

import (
	"context"

	"git-ralph/internal/git/config"
)

// eventsMinor is the version of git, 2.55, from which on "hook.<event>.enabled" turns off whatever its configuration has for
// an event.
const eventsMinor = 55

// DisabledHooks lists the settings by which git runs none of our hooks that stand in its configuration: "enabled" of ours, or of
// their event.
func DisabledHooks(ctx context.Context, o Options) ([]Clash, error) {
	found, err := o.Repo.ConfigFiles().Settings(ctx, `^hook\..*\.enabled$`)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	h, err := o.hooks(ctx, found)
	if err != nil || !h.byConfig {
		return nil, err
	}
	config, err := o.Repo.Config(ctx)
	if err != nil {
		return nil, err
	}
	_, minor, err := o.Repo.Version(ctx)
	var all []Clash
	for _, name := range h.wanted {
		for _, part := range []string{hookPart + name, name} {
			key := "hook." + part + ".enabled"
			if on, err := config.Bool(key, true); on || err != nil || part == name && minor < eventsMinor {
				continue
			}
			all = append(all, Clash{File: fileOf(found, key), Name: key, Value: "false"})
		}
	}
	return all, err
}

// fileOf returns the last file in which a setting stands, "" for none.
func fileOf(found []config.Setting, key string) string {
	file := ""
	for _, s := range found {
		if s.Key == key {
			file = s.File
		}
	}
	return file
}
