// Package uiprogram finds git-ralph-ui, the program of the commands that need heavy packages, and makes sure that it is of the same
// version as git-ralph.
package uiprogram

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

// Name is the program's name, without the ending that Windows gives it.
const Name = "git-ralph-ui"

// Find returns the path of git-ralph-ui: beside program, the path of git-ralph, or else on the PATH of environ. It is never one of the
// worktree around dir, for anybody can commit a file of that name.
func Find(program, dir string, environ []string) (string, error) {
	beside := filepath.Join(filepath.Dir(program), Name)
	if runtime.GOOS == "windows" {
		beside += ".exe"
	}
	if info, err := os.Stat(beside); program != "" && err == nil && info.Mode().IsRegular() {
		return beside, nil
	}
	path, err := proc.LookPath(Name, environ)
	if err != nil {
		return "", &MissingError{Beside: filepath.Dir(program)}
	}
	if top := worktreeAround(dir); top != "" && isBelow(path, top) {
		return "", &MissingError{Beside: filepath.Dir(program), Refused: path}
	}
	return path, nil
}

// A MissingError says that there is no git-ralph-ui to run.
type MissingError struct {
	Beside  string // the directory of git-ralph
	Refused string // one on the PATH that is in the worktree; "" for none
}

func (e *MissingError) Error() string {
	if e.Refused != "" {
		return fmt.Sprintf("%s is not in %s; %s is in the worktree, and a repository's own programs are not run", Name, e.Beside, e.Refused)
	}
	return fmt.Sprintf("%s is neither in %s nor on the PATH", Name, e.Beside)
}

// Hint returns what to do about it.
func (e *MissingError) Hint() string { return "install git ralph again, with all of its programs" }

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

// A StartError says that git-ralph-ui is there and cannot be started.
type StartError struct {
	Path string
	Err  error
}

func (e *StartError) Error() string { return fmt.Sprintf("cannot start %s: %v", e.Path, e.Err) }

func (e *StartError) Unwrap() error { return e.Err }

// Hint returns what to do about it.
func (e *StartError) Hint() string { return (&MissingError{}).Hint() }
