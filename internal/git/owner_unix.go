//go:build unix

package git

import (
	"os"
	"syscall"
)

// trusted reports whether git would certainly accept the repository: it and its worktree belong to the user, and there is no
// mount point between start and root. Otherwise git decides, by safe.directory and sudo.
func trusted(start, root string, p place) bool {
	uid := uint32(os.Geteuid())
	from, ok := stat(start)
	if !ok {
		return false
	}
	for _, path := range []string{root, p.gitDir} {
		s, ok := stat(path)
		if !ok || s.Uid != uid || path == root && s.Dev != from.Dev {
			return false
		}
	}
	return true
}

func stat(path string) (*syscall.Stat_t, bool) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	return s, ok
}
