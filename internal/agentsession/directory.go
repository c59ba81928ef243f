package agentsession

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

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

// read returns the content of a session's file, "" where there is none.
func (d Directory) read(session, kind string) (string, error) {
	data, err := os.ReadFile(filepath.Join(d.path, name(session, kind)))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(data), err
}

// write replaces a session's file.
func (d Directory) write(session, kind, text string) error {
	if err := os.MkdirAll(d.path, 0o777); err != nil {
		return err
	}
	return safefile.WriteCached(d.path, name(session, kind), []byte(text), 0o666)
}

// remove deletes a session's file, if there is one.
func (d Directory) remove(session, kind string) error {
	err := os.Remove(filepath.Join(d.path, name(session, kind)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
