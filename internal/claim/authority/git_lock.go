package authority

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"git-ralph/internal/git"
)

// lockAge is how long a lock of git must have stayed as it is before it is named: git keeps its own for milliseconds.
const lockAge = 10 * time.Minute

// GitLockedError says that a lock of git kept a claim from changing.
type GitLockedError struct {
	Left   []string // locks that have not changed for ten minutes; a git command that was killed leaves such files behind
	Remote string   // where they are, "" for this repository
	Err    error
}

func (e *GitLockedError) Error() string {
	switch {
	case len(e.Left) == 0 && e.Remote != "":
		return fmt.Sprintf("git's locks at the remote %s are held: %v", e.Remote, e.Err)
	case len(e.Left) == 0:
		return fmt.Sprintf("git's locks are held by another process: %v", e.Err)
	}
	return fmt.Sprintf("%s has not changed for %d minutes: a git command that was killed may have left it", e.Left[0], int(lockAge/time.Minute))
}

// Hint says what removes the locks.
func (e *GitLockedError) Hint() string {
	switch {
	case e.Remote != "":
		return "try again; a lock there that stays was left by a git command that was killed, and has to be removed there"
	case len(e.Left) == 0:
		return "try again"
	}
	return "`git ralph doctor --fix` removes it"
}

func (e *GitLockedError) Unwrap() error { return e.Err }

// A BrokenError names a reference that a power cut has left without an id: git can neither read nor change it.
type BrokenError struct{ Ref string }

func (e *BrokenError) Error() string {
	return fmt.Sprintf("the reference %s is broken, as after a power cut", e.Ref)
}

// Hint says what deletes it.
func (e *BrokenError) Hint() string { return "`git ralph doctor --fix` deletes it" }

// Broken lists the references of claims, also those of remotes, that are broken.
func Broken(r *git.Repo) []string { return git.BrokenBelow(r, "refs/ralph/") }

// brokenError returns a *BrokenError if one of the references that a transaction changes is broken.
func (l *Local) brokenError(changes []git.ReferenceChange) error {
	for _, c := range changes {
		if slices.Contains(Broken(l.repo), c.Name) {
			return &BrokenError{c.Name}
		}
	}
	return nil
}

// lockedError names the locks that are in the way of changes.
func (l *Local) lockedError(changes []git.ReferenceChange, err error) error {
	paths := []string{filepath.Join(l.repo.CommonDir(), "packed-refs")}
	for _, c := range changes {
		paths = append(paths, l.repo.ReferencePath(c.Name))
	}
	return &GitLockedError{Left: leftLocks(paths), Err: err}
}

// lockedError names the lock at the remote that is in the way, where the remote says which, and it is a file of this machine.
func (r *Remote) lockedError(err error, report string) error {
	_, path, _ := strings.Cut(text(err)+report, "Unable to create '")
	path, _, _ = strings.Cut(path, "'")
	return &GitLockedError{Left: leftLocks([]string{strings.TrimSuffix(path, ".lock")}), Remote: r.name, Err: err}
}

// LeftLocks returns the lock files of claims, and of the packed references, that have not changed for ten minutes.
func LeftLocks(r *git.Repo) []string {
	claims, err := filepath.Glob(filepath.Join(r.ReferencePath(Prefix), "*.lock"))
	if err != nil {
		return nil
	}
	paths := []string{filepath.Join(r.CommonDir(), "packed-refs")}
	for _, path := range claims {
		paths = append(paths, path[:len(path)-len(".lock")])
	}
	return leftLocks(paths)
}

func leftLocks(paths []string) (left []string) {
	for _, path := range paths {
		if info, err := os.Lstat(path + ".lock"); err == nil && time.Since(info.ModTime()) >= lockAge {
			left = append(left, path+".lock")
		}
	}
	return left
}
