package agentcmd

import (
	"context"
	"path/filepath"
	"strings"
)

// writtenPlan returns the path of the plan where a tool is about to write it by hand; "" where it is not, or may.
func (h *hook) writtenPlan(ctx context.Context) (string, error) {
	if len(h.input.Files) == 0 {
		return "", nil
	}
	ok, err := h.open(ctx)
	if !ok || err != nil || !h.store.HasFile() || !h.writesPlan() {
		return "", err
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

func (h *hook) writesPlan() bool {
	file := realPath(filepath.Join(h.store.Repo().Root(), filepath.FromSlash(h.store.PlanPath())))
	for _, name := range h.input.Files {
		if !filepath.IsAbs(name) {
			name = filepath.Join(h.env.Dir, name)
		}
		if filepath.Base(name) == filepath.Base(file) && strings.EqualFold(realPath(name), file) {
			return true
		}
	}
	return false
}

// realPath returns a path without symbolic links, as far as it exists.
func realPath(path string) string {
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	return filepath.Clean(path)
}
