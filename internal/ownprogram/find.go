// Package ownprogram finds the other programs of git ralph, which are installed beside it.
package ownprogram

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"git-ralph/internal/proc"
)

// Find returns the path of the program of a name, without the ending that Windows gives it: beside gitRalph, which is "" where it is
// unknown, or else on the PATH of environ; "" where there is none. It is never one of the worktree around dir, for anybody can commit a
// file of that name: such a one on the PATH is refused.
func Find(name, gitRalph, dir string, environ []string) (path, refused string) {
	beside := filepath.Join(filepath.Dir(gitRalph), name)
	if runtime.GOOS == "windows" {
		beside += ".exe"
	}
	if info, err := os.Stat(beside); gitRalph != "" && err == nil && info.Mode().IsRegular() {
		return beside, ""
	}
	path, err := proc.LookPath(name, environ)
	if err != nil {
		return "", ""
	}
	if top := worktreeAround(dir); top != "" && isBelow(path, top) {
		return "", path
	}
	return path, ""
}

// worktreeAround returns the nearest directory at or above dir that has a .git; "" where none has.
func worktreeAround(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); !errors.Is(err, fs.ErrNotExist) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// isBelow reports whether a file is in a directory, whichever symbolic links lead there.
func isBelow(path, dir string) bool {
	for _, p := range [...]*string{&path, &dir} {
		if resolved, err := filepath.EvalSymlinks(*p); err == nil {
			*p = resolved
		}
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
