package store

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"git-ralph/internal/git/config"
)

// DefaultPath is the plan's path, relative to the worktree's root.
const DefaultPath = "ralph/plan.jsonl"

// PlanPath returns the plan's path by a configuration: slash-separated,
// relative to the worktree's root. The error is ErrConfig.
func PlanPath(config *config.Config) (string, error) {
	paths := config.Strongest("ralph.plan")
	if len(paths) == 0 {
		return DefaultPath, nil
	}
	return cleanPath("ralph.plan", paths[0])
}

// cleanPath checks and cleans a path from the configuration: it must be within
// the worktree.
func cleanPath(key, value string) (string, error) {
	clean := path.Clean(filepath.ToSlash(value))
	hasControl := strings.ContainsFunc(value, func(r rune) bool { return r < 0x20 || r == 0x7f })
	if !filepath.IsLocal(value) || clean == "." || hasControl || slices.ContainsFunc(strings.Split(clean, "/"), isGitDirectory) {
		return "", fmt.Errorf("%w %s %q: want a path within the worktree", ErrConfig, key, value)
	}
	return clean, nil
}

// DefaultWorkplans is the default directory of workplans.
const DefaultWorkplans = "workplans"

// Workplans returns the directory of workplans: slash-separated, relative to the root. The error is ErrConfig.
func (s *Store) Workplans() (string, error) {
	const key = "ralph.workplans"
	value, ok := s.config.Get(key)
	if !ok {
		return DefaultWorkplans, nil
	}
	if path.Clean(value) == "." {
		return ".", nil
	}
	return cleanPath(key, value)
}

// isGitDirectory reports whether a name is that of git's own directory, on any system.
func isGitDirectory(name string) bool {
	name = strings.TrimRight(strings.ToLower(name), " .")
	return name == ".git" || name == "git~1"
}

// PlanPath returns the plan's path: slash-separated, relative to the worktree's
// root.
func (s *Store) PlanPath() string { return s.path }

// PlanPaths returns the plan's path and its former ones: the further values of
// ralph.plan.
func (s *Store) PlanPaths() []string {
	paths := []string{s.path}
	for _, value := range s.config.Strongest("ralph.plan") {
		if clean, err := cleanPath("ralph.plan", value); err == nil && !slices.Contains(paths, clean) {
			paths = append(paths, clean)
		}
	}
	return paths
}

// displayPath returns the plan's path as the user can name it in a git command.
func (s *Store) displayPath() string {
	dir, err := filepath.EvalSymlinks(s.opts.Dir)
	if err == nil {
		if path, err := filepath.Rel(dir, s.filePath()); err == nil {
			return filepath.ToSlash(path)
		}
	}
	return ":/" + s.path
}
