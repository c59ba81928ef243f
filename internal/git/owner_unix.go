//go:build unix

package git

import (
	"os"
	"syscall"
)

// trusted reports whether git would take the repository without a question: it and its worktree belong to the user, and
// no mount point lies between. Else git decides, by safe.directory and sudo.
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
