package install

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"git-ralph/internal/git/config"
	"git-ralph/internal/safefile"
)

// Environ returns an environment in which git merges the plan by its rules, also where nothing is installed: for agents, which may
// merge by themselves. What git is configured to do stays as it is, and no file that others read changes.
func Environ(ctx context.Context, o Options, environ []string) ([]string, error) {
	current, err := o.Repo.Config(ctx)
	if err != nil {
		return nil, err
	}
	var missing []config.Setting
	if driver, _ := current.Get("merge.ralph.driver"); driver == "" {
		for _, s := range settings(o.Driver, nil) {
			if s.section == "merge" {
				missing = append(missing, config.Setting{Key: s.key(), Value: s.value})
			}
		}
	}
	file, err := o.attributesWithOurs(ctx, current)
	if err != nil {
		return nil, err
	}
	if file != "" {
		missing = append(missing, config.Setting{Key: "core.attributesFile", Value: filepath.ToSlash(file)})
	}
	if found, over := o.overUnion(current); found {
		missing = append(missing, over)
	}
	if len(missing) == 0 {
		return environ, nil
	}
	return config.WithSettings(environ, missing...), nil
}

// attributesWithOurs writes a file with the user's own attributes and the merge attribute of the plan, in the git directory, and returns
// its name; "" where it is not needed. git has one such file alone, so ours must hold the user's too. Those of the repository are
// stronger, as they are than the user's.
func (o Options) attributesWithOurs(ctx context.Context, current *config.Config) (string, error) {
	files := o.Repo.ConfigFiles()
	if slices.ContainsFunc(files.SharedAttributes(current), o.setsMerge) {
		return "", nil
	}
	user, err := files.AttributesPath(ctx, config.ScopeGlobal)
	if err != nil && !errors.Is(err, config.ErrNoHome) {
		return "", nil //nolint:nilerr // it is relative to wherever git runs: the user's own stay as they are
	}
	text, _ := os.ReadFile(user) //nolint:errcheck // git goes on without one that it cannot read, too
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	text = append(text, pattern(o.PlanPath)+" merge=ralph\n"...)
	file := filepath.Join(o.Repo.GitDir(), "ralph", "attributes")
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, text) {
		return file, nil
	}
	return file, safefile.Write(o.Repo.GitDir(), "ralph/attributes", text, 0o666)
}

// setsMerge reports whether a file has a line for the plan with a merge attribute, ours or another one.
func (o Options) setsMerge(file string) bool {
	text, err := safefile.Read(file)
	_, found := attributesForm{path: o.PlanPath}.values(string(text))["merge"]
	return err == nil && found
}
