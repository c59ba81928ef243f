package workplancmd

import (
	"context"
	"path/filepath"

	"git-ralph/internal/cli/term"
	"git-ralph/internal/workplan"
)

// A Named is a workplan, and what the user calls its file.
type Named struct {
	Name string
	*workplan.File
}

// Selected reads the workplans that a user named, or all that are valid below the directory of workplans.
func Selected(ctx context.Context, env *term.Env, names []string) ([]Named, error) {
	var all []Named
	for _, name := range names {
		f, err := read(ctx, env, name)
		if err != nil {
			return nil, err
		}
		all = append(all, Named{name, f.File})
	}
	if len(names) > 0 {
		return all, nil
	}
	dir, err := directory(ctx, env)
	if err != nil {
		return nil, err
	}
	files, err := listFiles(ctx, env, dir)
	for _, l := range files {
		if l.File != nil {
			all = append(all, Named{filepath.ToSlash(l.name), l.File})
		} else {
			env.Warn(l.problem())
		}
	}
	return all, err
}
