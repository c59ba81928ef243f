package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Errors of BeginEdit.
var (
	// ErrLocked: another program has the file's lock, or left it behind.
	ErrLocked = errors.New("is being changed by another program")
	// ErrReadOnly: the file's permissions allow nobody to write it.
	ErrReadOnly = errors.New("is read-only")
)

// lockSuffix ends the name of the lock file, as in git, so that every program that follows git's protocol respects it.
const lockSuffix = ".lock"

// maxLinks is how many symbolic links are followed to a file, one after the other.
const maxLinks = 10

// An Edit changes one configuration file by the protocol that git uses for its own: <file>.lock is created, which only one
// process can do; the file is read; the lock file gets the new content and the file's permissions, and is renamed over
// it. Symbolic links are followed, so their target is what changes. Several edits may be open at once: prepare all of
// them, then commit all, so that a file that cannot be written stops the others too. A lock file that a killed edit left is taken over.
type Edit struct {
	path   string
	lock   *editLock // nil where it is not held
	old    []byte
	exists bool
	remove bool
	dirs   []string // made for this edit, innermost first
}

// BeginEdit takes the lock of the file at path and reads it. Missing directories are made. The errors are ErrLocked,
// ErrReadOnly, ErrNotFile and those of the file system.
func BeginEdit(path string) (*Edit, error) {
	target, err := followLinks(path)
	if err != nil {
		return nil, err
	}
	e := &Edit{path: target}
	if err := e.begin(); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

func (e *Edit) begin() (err error) {
	if err := e.makeDirs(); err != nil {
		return err
	}
	RemoveLeftovers(e.path, 0)
	e.lock, err = takeEditLock(e.path)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s %w: %s is there", e.path, ErrLocked, filepath.Base(e.path)+lockSuffix)
	}
	if err != nil {
		return err
	}
	return e.read()
}

// followLinks returns the file that path leads to, which need not exist.
func followLinks(path string) (string, error) {
	for range maxLinks {
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil //nolint:nilerr // it is no link
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return "", fmt.Errorf("%s: too many symbolic links", path)
}

func (e *Edit) makeDirs() error {
	var missing []string
	for dir := filepath.Dir(e.path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		missing = append(missing, dir)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := os.Mkdir(missing[i], 0o777); err != nil {
			return err
		}
		e.dirs = append([]string{missing[i]}, e.dirs...)
	}
	return nil
}

// read reads the file under its lock, and gives the lock file the file's permissions.
func (e *Edit) read() error {
	info, err := os.Stat(e.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s %w", e.path, ErrNotFile)
	case info.Mode().Perm()&0o222 == 0:
		return fmt.Errorf("%s %w", e.path, ErrReadOnly)
	}
	e.exists = true
	if e.old, err = Read(e.path); err != nil {
		return err
	}
	return os.Chmod(e.lock.path, info.Mode().Perm())
}

// Old returns the file's content; exists is false if there is no file.
func (e *Edit) Old() (data []byte, exists bool) { return e.old, e.exists }

// NewDirs returns how many directories were made for the file.
func (e *Edit) NewDirs() int { return len(e.dirs) }

// Prepare writes the new content to the lock file.
func (e *Edit) Prepare(data []byte) error {
	f, err := os.OpenFile(e.lock.path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// MakeExecutable gives everybody who may read the file permission to execute it. It is for new files.
func (e *Edit) MakeExecutable() error {
	info, err := os.Stat(e.lock.path)
	if err != nil {
		return err
	}
	return os.Chmod(e.lock.path, info.Mode().Perm()|info.Mode().Perm()&0o444>>2)
}

// PrepareRemoval makes Commit remove the file, and Close up to dirs directories above it as long as they are empty.
func (e *Edit) PrepareRemoval(dirs int) {
	e.remove, e.dirs = true, above(e.path, dirs)
}

// above returns the directories above a file, innermost first.
func above(path string, n int) (dirs []string) {
	for range n {
		path = filepath.Dir(path)
		dirs = append(dirs, path)
	}
	return dirs
}

// removeEmpty removes directories, innermost first, as long as they are empty.
func removeEmpty(dirs []string) {
	for _, dir := range dirs {
		if os.Remove(dir) != nil {
			return
		}
	}
}

// Commit replaces or removes the file as prepared, and releases the lock.
func (e *Edit) Commit() error {
	if e.remove {
		err := os.Remove(e.path)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // another process removed it before this one had the lock
		}
		err = errors.Join(err, os.Remove(e.lock.path))
		e.release()
		return err
	}
	if err := os.Rename(e.lock.path, e.path); err != nil {
		e.Close()
		return err
	}
	e.release()
	e.dirs = nil
	return nil
}

// Close releases the lock unless Commit did, and removes the directories that were made and stayed empty. Edits that are open
// at once are closed in reverse order, since the first one that needs a directory makes it for all.
func (e *Edit) Close() {
	if e.lock != nil {
		os.Remove(e.lock.path) //nolint:errcheck // the next edit will report it
		e.release()
	}
	removeEmpty(e.dirs)
	e.dirs = nil
}

// release ends the lock, whose file has been removed or renamed.
func (e *Edit) release() {
	e.lock.removeOther()
	e.lock = nil
}
