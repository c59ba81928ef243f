// Package ownprogram finds the other programs of git ralph, which are installed beside it.
package ownprogram

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"git-ralph/internal/proc"
)

// A MissingError says that there is no program to run.
type MissingError struct {
	Name    string
	Beside  string // the directory of git-ralph
	Refused string // one on the PATH that is in the worktree; "" for none
}

func (e *MissingError) Error() string {
	if e.Refused != "" {
		return fmt.Sprintf("%s is not in %s; %s is in the worktree, and a repository's own programs are not run", e.Name, e.Beside, e.Refused)
	}
	return fmt.Sprintf("%s is neither in %s nor on the PATH", e.Name, e.Beside)
}

// Hint returns what to do about it.
func (e *MissingError) Hint() string { return "install git ralph again, with all of its programs" }

// Find returns the path of the program of a name, without the ending that Windows gives it: beside gitRalph, which is "" where it is
// unknown, or else on the PATH of environ. It is never one of the worktree around dir, for anybody can commit a file of that name: such
// a one on the PATH is refused. The error is a *MissingError.
func Find(name, gitRalph, dir string, environ []string) (string, error) {
	beside := filepath.Join(filepath.Dir(gitRalph), name)
	if runtime.GOOS == "windows" {
		beside += ".exe"
	}
	if info, err := os.Stat(beside); gitRalph != "" && err == nil && info.Mode().IsRegular() {
		return beside, nil
	}
	path, err := proc.LookPath(name, environ)
	missing := &MissingError{Name: name, Beside: filepath.Dir(gitRalph)}
	if err != nil {
		return "", missing
	}
	if top := worktreeAround(dir); top != "" && isBelow(path, top) {
		missing.Refused = path
		return "", missing
	}
	return path, nil
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
