// Package ownprogram finds the other programs of git ralph, which are installed together with it.
package ownprogram

import (
	"cmp"
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
	Places  []string // the directories that were searched before the PATH
	Refused string   // one on the PATH that is in the worktree; "" for none
}

func (e *MissingError) Error() string {
	places := cmp.Or(strings.Join(e.Places, " or "), "the directory of git-ralph")
	if e.Refused != "" {
		return fmt.Sprintf("%s is not in %s; %s is in the worktree, and a repository's own programs are not run", e.Name, places, e.Refused)
	}
	return fmt.Sprintf("%s is neither in %s nor on the PATH", e.Name, places)
}

// Hint returns what to do about it.
func (e *MissingError) Hint() string { return "install git ralph again, with all of its programs" }

// Find returns the path of the program of a name, without the ending that Windows gives it: in a place of gitRalph, which is "" where it
// is unknown, or else on the PATH of environ. It is never one of the worktree around dir, for anybody can commit a file of that name:
// such a one on the PATH is refused. The error is a *MissingError.
func Find(name, gitRalph, dir string, environ []string) (string, error) {
	missing := &MissingError{Name: name, Places: places(gitRalph)}
	file := name
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	for _, place := range missing.Places {
		path := filepath.Join(place, file)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	path, err := proc.LookPath(name, environ)
	if err != nil {
		return "", missing
	}
	if top := worktreeAround(dir); top != "" && isBelow(path, top) {
		missing.Refused = path
		return "", missing
	}
	return path, nil
}

// places returns the directories of the programs that are installed together with gitRalph: its own, and in the same prefix that of
// programs which users do not call. A link to gitRalph is followed, for it may be alone where it is.
func places(gitRalph string) []string {
	if gitRalph == "" {
		return nil
	}
	if resolved, err := filepath.EvalSymlinks(gitRalph); err == nil {
		gitRalph = resolved
	}
	dir := filepath.Dir(gitRalph)
	return []string{dir, filepath.Join(dir, "..", "libexec", "git-ralph")}
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
