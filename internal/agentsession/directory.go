package agentsession

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"git-ralph/internal/safefile"
	"git-ralph/internal/sha256"
)

// A Directory holds the files of all sessions of a repository.
type Directory struct{ path string }

// Of returns the directory below the git directory that worktrees share.
func Of(commonDir string) Directory {
	return Directory{filepath.Join(commonDir, "ralph", "sessions")}
}

// name returns the name of a session's file of one kind.
func name(session, kind string) string { return sha256.Hex(session)[:32] + "." + kind }

// maxSize is the size of the largest file that is read, in bytes. Ours have a few hundred.
const maxSize = 1 << 20

// maxWait is how long a change waits for those of other processes. Each takes a moment.
const maxWait = 10 * time.Second

// Lock admits one process at a time to a change of what is kept, such as counting one more stop.
func (d Directory) Lock(ctx context.Context) (*safefile.Held, error) {
	if err := os.MkdirAll(d.path, 0o777); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	return safefile.Lock(ctx, filepath.Join(d.path, "lock"), "agent session")
}

// read returns the content of a session's file, and whether there is one. One that cannot be ours is an error, and nothing is waited for.
func (d Directory) read(session, kind string) (text string, found bool, err error) {
	return d.readFile(name(session, kind))
}

func (d Directory) readFile(name string) (text string, found bool, err error) {
	path := filepath.Join(d.path, name)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case err == nil && (!info.Mode().IsRegular() || info.Size() > maxSize):
		return "", true, fmt.Errorf("%s is no file of git ralph", path)
	}
	data, err := os.ReadFile(path)
	return string(data), true, err
}

// write replaces a session's file.
func (d Directory) write(session, kind, text string) error {
	if err := os.MkdirAll(d.path, 0o777); err != nil {
		return err
	}
	err := safefile.WriteCached(d.path, name(session, kind), []byte(text), 0o666)
	if failed, ok := errors.AsType[*fs.PathError](err); ok { // its path is relative to the directory
		return &fs.PathError{Op: failed.Op, Path: filepath.Join(d.path, failed.Path), Err: failed.Err}
	}
	return err
}

// remove deletes a session's file, if there is one.
func (d Directory) remove(session, kind string) error {
	err := os.Remove(filepath.Join(d.path, name(session, kind)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
