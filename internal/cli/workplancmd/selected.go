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

// Selected reads the workplans that a user named, or all below the directory of workplans, and returns those of these that are not valid too.
func Selected(ctx context.Context, env *term.Env, names []string) (all []Named, invalid []*workplan.InvalidError, err error) {
	for _, name := range names {
		f, err := read(ctx, env, name)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, Named{name, f.File})
	}
	if len(names) > 0 {
		return all, nil, nil
	}
	dir, err := directory(ctx, env)
	if err != nil {
		return nil, nil, err
	}
	files, err := listFiles(ctx, env, dir)
	for _, l := range files {
		if l.File != nil {
			all = append(all, Named{filepath.ToSlash(l.name), l.File})
		} else {
			invalid = append(invalid, l.problem())
		}
	}
	return all, invalid, err
}
