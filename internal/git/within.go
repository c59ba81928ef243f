package git

import (
	"os"
	"path/filepath"
)

// IsWithin reports whether a directory belongs to the worktree of a repository, and not to another repository within it. Where it is false, it still may.
func IsWithin(r *Repo, dir string) bool {
	if physical, err := filepath.EvalSymlinks(dir); err == nil {
		dir = physical
	}
	for at := dir; at != r.root; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil || looksBare(at) || at == filepath.Dir(at) {
			return false
		}
	}
	return true
}
