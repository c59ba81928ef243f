package authority

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"git-ralph/internal/claim"
	"git-ralph/internal/git/config"
)

// Lock is the lock file of a worker's claim. The worker takes it before it writes the claim, and its agent inherits it: while
// either runs, nobody can obtain it. It is the kernel's lock, so it ends with them however they end.
type Lock struct {
	Name string // of the file: the claim's token
	path string
	held heldFile
}

// errLockName: a claim names no lock file of ours.
var errLockName = errors.New("invalid name of a lock file")

// lockDir returns the user's directory of locks. It is the same for all repositories and processes of the user.
func lockDir(environ []string) (string, error) {
	get := func(key string) string {
		value, _ := config.Getenv(environ, key)
		return value
	}
	cache, home := get("XDG_CACHE_HOME"), get("HOME")
	switch {
	case runtime.GOOS == "windows" && get("LOCALAPPDATA") != "":
		cache = get("LOCALAPPDATA")
	case filepath.IsAbs(cache):
	case !filepath.IsAbs(home):
		return "", errors.New("HOME is not set: want a directory for the locks of workers")
	case runtime.GOOS == "darwin":
		cache = filepath.Join(home, "Library", "Caches")
	default:
		cache = filepath.Join(home, ".cache")
	}
	return filepath.Join(cache, "git-ralph", "locks"), nil
}

// lockPath returns the file of a lock. A name may come from a stranger's claim.
func lockPath(environ []string, name string) (string, error) {
	if !claim.IsToken(name) {
		return "", fmt.Errorf("%w %q", errLockName, name)
	}
	dir, err := lockDir(environ)
	return filepath.Join(dir, name), err
}

// HoldLock makes the lock file of a new token and takes it.
func HoldLock(environ []string, token string) (*Lock, error) {
	path, err := lockPath(environ, token)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	held, err := holdFile(path)
	if err != nil {
		return nil, fmt.Errorf("lock of a worker: %w", err)
	}
	return &Lock{Name: token, path: path, held: held}, nil
}

// File returns the open file for an agent to inherit; nil where the system cannot pass locks on.
func (l *Lock) File() *os.File { return l.held.file() }

// Release deletes the file and gives the lock back. A nil Lock and a second call are fine.
func (l *Lock) Release() {
	if l == nil || l.held == nil {
		return
	}
	os.Remove(l.path) //nolint:errcheck // a file that is left, and free, proves what is true: that the worker has ended
	l.held.release()
	l.held = nil
}

// abandon gives the lock back and leaves the file, which proves that nobody works under its claim.
func (l *Lock) abandon() {
	if l != nil && l.held != nil {
		l.held.release()
		l.held = nil
	}
}

// heldFile is a locked file.
type heldFile interface {
	file() *os.File
	release()
}

// ProbeLock looks whether the lock that a claim names is free. It never makes the file: one that is missing, as for another
// user, in another container or after a clean-up, proves nothing.
func ProbeLock(environ []string, name string) claim.LockProof {
	path, err := lockPath(environ, name)
	if err != nil {
		return claim.LockUnknown
	}
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		return claim.LockMissing
	}
	return probeFile(path)
}

// oldLock is how long a lock file that nobody holds is of use: no lease is longer.
const oldLock = 2 * claim.MaxLease

// RemoveOldLocks removes the files of workers that were killed long ago. A worker that ends removes its own.
func RemoveOldLocks(environ []string) {
	dir, err := lockDir(environ)
	if err != nil {
		return
	}
	entries, _ := os.ReadDir(dir) //nolint:errcheck // without a directory there are no locks
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || time.Since(info.ModTime()) < oldLock || ProbeLock(environ, e.Name()) != claim.LockFree {
			continue
		}
		os.Remove(filepath.Join(dir, e.Name())) //nolint:errcheck // the next one tries again
	}
}
