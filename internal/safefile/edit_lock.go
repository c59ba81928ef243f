package safefile

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// An editLock is the lock file of an edit. Its file has a second name, .<name>.git-ralph-<random>.lock, and the kernel's lock. So one that
// a killed process left is recognised, whatever is in it: it is ours by that name, and nobody holds the kernel's lock.
type editLock struct {
	path  string // <file>.lock
	other string // its second name
	held  *flock.Flock
}

// takeEditLock creates the lock file of the file at path; fs.ErrExist where there is one.
func takeEditLock(path string) (*editLock, error) {
	for try := 0; ; try++ {
		l := &editLock{path: path + lockSuffix, other: filepath.Join(filepath.Dir(path), secondPrefix(path)+strconv.FormatUint(rand.Uint64(), 36)+lockSuffix)}
		err := l.create()
		if err == nil {
			return l, nil
		}
		l.removeOther()
		if !errors.Is(err, fs.ErrNotExist) || try == 100 { // else another process took the second name for one that was left
			return nil, err
		}
	}
}

// create makes the lock file by its second name, locks it, and then gives it its name. Where that is not possible, as on file systems
// without hard links or locks, it has one name, and one that was left is not recognised.
func (l *editLock) create() error {
	l.held = flock.New(l.other, flock.SetFlag(os.O_CREATE|os.O_EXCL|os.O_RDWR), flock.SetPermissions(0o666))
	locked, err := l.held.TryLock()
	if _, failed := errors.AsType[*fs.PathError](err); failed {
		return err // it could not be created
	}
	if err == nil && !locked {
		return fs.ErrNotExist
	}
	if err == nil && runtime.GOOS != "windows" { // whose locks keep a file from being written and renamed
		if err := os.Link(l.other, l.path); err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	l.removeOther()
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	return f.Close()
}

// removeOther removes the second name, and gives up the kernel's lock.
func (l *editLock) removeOther() {
	os.Remove(l.other) //nolint:errcheck // RemoveLeftovers removes it
	l.held.Close()     //nolint:errcheck // it ends with the process at the latest
}

// RemoveLeftovers removes the lock files that killed edits of the file at path left, and then up to dirs directories above it as long as
// they are empty.
func RemoveLeftovers(path string, dirs int) {
	target, err := followLinks(path)
	if err != nil {
		return
	}
	removed := false
	entries, _ := os.ReadDir(filepath.Dir(target))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), secondPrefix(target)) && strings.HasSuffix(e.Name(), lockSuffix) {
			removed = removeLeftover(target+lockSuffix, filepath.Join(filepath.Dir(target), e.Name())) || removed
		}
	}
	if removed {
		removeEmpty(above(target, dirs))
	}
}

// removeLeftover removes a lock file, unless it is held. Only who holds the kernel's lock of a file removes its names.
func removeLeftover(path, other string) bool {
	l := editLock{path, other, flock.New(other, flock.SetFlag(os.O_RDWR))}
	if locked, err := l.held.TryLock(); err != nil || !locked {
		return false
	}
	defer l.removeOther()
	first, err := os.Lstat(path)
	second, errOther := os.Lstat(other)
	if err == nil && errOther == nil && os.SameFile(first, second) {
		os.Remove(path) //nolint:errcheck // then it is reported as held
	}
	return true
}

// secondPrefix returns the beginning of the second names of the lock files of a file.
func secondPrefix(path string) string { return TempPrefix(filepath.Base(path)) }
