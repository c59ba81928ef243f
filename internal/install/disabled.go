package install

import (
	"context"

	"git-ralph/internal/git/config"
)

// eventsMinor is the minor version of git, 2.55, from which on "hook.<event>.enabled" turns off all configured hooks of an event.
const eventsMinor = 55

// DisabledHooks lists the settings that turn off our hooks in git's configuration: "enabled" of the hook, or of its event.
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
