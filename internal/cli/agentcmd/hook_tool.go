package agentcmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"git-ralph/internal/cli/planio"
	"git-ralph/internal/git"
)

// writtenPlan returns the path of the plan that a tool is about to write by hand; "" where it writes none, or may. A file's repository is
// the one that it is in, wherever the agent is.
func (h *hook) writtenPlan(ctx context.Context) (string, error) {
	var failed error
	for _, name := range h.input.Files {
		plan, err := h.planAt(ctx, h.absolute(name))
		if plan != "" {
			return plan, nil
		}
		failed = errors.Join(failed, err)
	}
	return "", failed
}

// absolute returns the path of a file that the agent names.
func (h *hook) absolute(name string) string {
	if dirs := h.directories(); !filepath.IsAbs(name) && len(dirs) > 0 {
		return filepath.Join(dirs[0], name)
	}
	return filepath.Clean(name)
}

// planAt returns the path of the plan of a file's repository where the file is that plan, and is not to be written by hand; else "".
func (h *hook) planAt(ctx context.Context, file string) (string, error) {
	file = realPath(file)
	env := *h.env
	env.Dir = existing(filepath.Dir(file))
	if git.SurelyOutside(env.Dir, env.Environ) {
		return "", nil
	}
	if h.store == nil || !git.IsWithin(h.store.Repo(), env.Dir) {
		st, err := planio.Open(ctx, &env)
		if err != nil {
			return "", err
		}
		h.store = st
	}
	if h.store.Repo().Bare() || !h.store.HasFile() || !isSame(file, filepath.Join(h.store.Repo().Root(), filepath.FromSlash(h.store.PlanPath()))) {
		return "", nil
	}
	settings, err := h.store.Repo().Config(ctx)
	if err != nil {
		return "", err
	}
	if value, _ := settings.Get("ralph.agentEdits"); value == "allow" {
		return "", nil
	}
	return h.store.PlanPath(), nil
}

// isSame reports whether two paths are of one file, which may have other names, or be missing.
func isSame(a, b string) bool {
	if realPath(a) == realPath(b) {
		return true
	}
	one, err := os.Stat(a)
	other, errOther := os.Stat(b)
	return err == nil && errOther == nil && os.SameFile(one, other)
}

// realPath returns a path without symbolic links, as far as it exists.
func realPath(path string) string {
	if physical, err := filepath.EvalSymlinks(path); err == nil {
		return physical
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(realPath(parent), filepath.Base(path))
	}
	return path
}

// existing returns the nearest directory that exists: dir itself, or one above it.
func existing(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}
