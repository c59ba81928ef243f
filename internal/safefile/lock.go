// Package safefile changes files that several processes share: Lock lets one process at a time through, Write replaces
// a file whole or not at all.
//
// The lock is the kernel's, not the file's existence: a holder that died holds nothing, and nobody has to guess
// whether a file that remains still means something.
package safefile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// headerSize is where the holder's name starts in a lock file. Windows locks the first byte against reading, too.
const headerSize = 1

// Holder names the process that holds a lock.
type Holder struct {
	PID   int       `json:"pid"`
	What  string    `json:"what"` // the command, e.g. "task done"
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
}

// HeldError reports a lock that another process kept until the context ended.
type HeldError struct {
	Path   string
	Holder Holder // zero where the holder has not written its name
	Err    error  // the context's error
}

// Error names the holder, so that the user knows whom to wait for.
func (e *HeldError) Error() string {
	h := e.Holder
	if h.PID == 0 {
		return fmt.Sprintf("lock %s is held by another process", e.Path)
	}
	return fmt.Sprintf("lock is held by process %d (%s) on %s since %s",
		h.PID, h.What, h.Host, h.Since.Format(time.RFC3339))
}

// Unwrap returns the context's error.
func (e *HeldError) Unwrap() error { return e.Err }

// Held is a lock that this process holds.
type Held struct{ lock *flock.Flock }

// Release gives up the lock. It may be called twice.
func (h *Held) Release() error {
	if h == nil {
		return nil
	}
	return h.lock.Close()
}

// Lock takes the lock file at path, creating it if necessary, and records who holds it: what is a word or two for the
// user, such as the command. It waits until ctx ends, then returns a *HeldError.
// The file stays after Release: removing it would let two processes lock two files of one name.
func Lock(ctx context.Context, path, what string) (*Held, error) {
	return lock(path, what, func(l *flock.Flock) error { return wait(ctx, l) })
}

// TryLock is Lock without waiting.
func TryLock(path, what string) (*Held, error) {
	return lock(path, what, func(l *flock.Flock) error {
		l.Close() //nolint:errcheck // nothing was taken
		return context.DeadlineExceeded
	})
}

func lock(path, what string, wait func(*flock.Flock) error) (*Held, error) {
	l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o666))
	ok, err := l.TryLock()
	if err == nil && !ok {
		err = wait(l)
	}
	if err != nil {
		return nil, lockError(path, err)
	}
	writeHolder(path, what)
	return &Held{l}, nil
}

// wait blocks in the kernel rather than polling: waiters are served in the order they came, at once, and cost nothing
// meanwhile. A waiter that gives up leaves its request behind; once that is granted, the lock is released at once.
func wait(ctx context.Context, l *flock.Flock) error {
	got := make(chan error)
	go func() {
		err := l.Lock()
		select {
		case got <- err:
		case <-ctx.Done():
			l.Close() //nolint:errcheck // nobody could act on it
		}
	}()
	select {
	case err := <-got:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func lockError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || !isContext(err) {
		return fmt.Errorf("lock %s: %w", path, err)
	}
	return &HeldError{Path: path, Holder: readHolder(path), Err: err}
}

func isContext(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// writeHolder writes the holder's name into the lock file. It serves messages only, so a failure is no failure to lock.
func writeHolder(path, what string) {
	host, _ := os.Hostname()
	line, err := json.Marshal(Holder{PID: os.Getpid(), What: what, Host: host, Since: time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer f.Close()
	line = append(line, '\n')
	if _, err := f.WriteAt(line, headerSize); err == nil {
		f.Truncate(int64(headerSize + len(line))) //nolint:errcheck // a longer old line spoils the name only
	}
}

func readHolder(path string) Holder {
	var h Holder
	f, err := os.Open(path)
	if err != nil {
		return h
	}
	defer f.Close()
	line, err := io.ReadAll(io.NewSectionReader(f, headerSize, 4096))
	if err != nil || json.Unmarshal(line, &h) != nil {
		return Holder{}
	}
	return h
}
