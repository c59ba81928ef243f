// Package outbox keeps the state of a State Hub, and with it the queue, in a file of the git directory that worktrees share. Each hub
// has its own.
package outbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"git-ralph/internal/hub"
	"git-ralph/internal/safefile"
	"git-ralph/internal/sha256"
)

// An Outbox is the file of one hub.
type Outbox struct{ dir, name string }

// Of returns the outbox of a hub in a git directory.
func Of(commonDir, target string) Outbox {
	return Outbox{filepath.Join(commonDir, "ralph", "hub"), sha256.Hex(target)[:16]}
}

// path returns the path of the state.
func (o Outbox) path() string { return filepath.Join(o.dir, o.name+".json") }

// View returns the state.
func (o Outbox) View() (hub.State, error) {
	s, _, err := o.read()
	return s, err
}

func (o Outbox) read() (hub.State, []byte, error) {
	text, err := os.ReadFile(o.path())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return hub.State{}, nil, err
	}
	s, err := hub.ParseState(text)
	if err != nil {
		err = fmt.Errorf("%s: %w; without that file, `git ralph hub check --fix` makes the hub equal again", o.path(), err)
	}
	return s, text, err
}

// changeTimeout is how long Change waits for other processes. Each of them needs a few milliseconds.
const changeTimeout = 10 * time.Second

// Change changes the state under a lock. When it returns, the change survives a power cut.
func (o Outbox) Change(do func(*hub.State)) error {
	if err := os.MkdirAll(o.dir, 0o777); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), changeTimeout)
	defer cancel()
	held, err := safefile.Lock(ctx, filepath.Join(o.dir, o.name+".lock"), "hub")
	if err != nil {
		return err
	}
	defer held.Release() //nolint:errcheck // the process's end releases it too
	s, was, err := o.read()
	if err != nil {
		return err
	}
	do(&s)
	text, err := s.Text()
	if err != nil || bytes.Equal(text, was) {
		return err
	}
	if err := safefile.Write(o.dir, o.name+".json", text, 0o600); err != nil {
		return err
	}
	syncDirectory(o.dir)
	return nil
}

// Sending admits one process at a time that sends the queue. The error is a *safefile.HeldError where another one does so until ctx
// ends.
func (o Outbox) Sending(ctx context.Context) (*safefile.Held, error) {
	if err := os.MkdirAll(o.dir, 0o777); err != nil {
		return nil, err
	}
	return safefile.Lock(ctx, filepath.Join(o.dir, o.name+".sending"), "hub sync")
}
