// Package safefile changes files that several processes share: Lock admits one process at a time, Write replaces a file
// completely or not at all.
//
// The lock is the kernel's, not the existence of a file: it ends with the process that holds it, so there are no stale locks.
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

// headerSize is the offset of the Holder in a lock file. Windows prevents others from reading the locked first byte.
const headerSize = 1

// Holder identifies the process that holds a lock.
type Holder struct {
	PID   int       `json:"pid"`
	What  string    `json:"what"` // the command, e.g. "task done"
	Host  string    `json:"host"`
	Since time.Time `json:"since"`
}

// HeldError reports a lock that another process kept until the context ended.
type HeldError struct {
	Path   string
	Holder Holder // zero if the holder has not written it
	Err    error  // the context's error
}

// Error names the holder, so that the user knows which process to wait for.
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
// The file stays after Release: if it were removed, two processes could lock two different files of that name.
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

// HolderOf returns who holds a lock; held is false where nobody does. It writes nothing.
func HolderOf(path string) (h Holder, held bool) {
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	defer l.Close() //nolint:errcheck // it was only tried
	free, err := l.TryRLock()
	if err != nil || free {
		return Holder{}, false
	}
	return readHolder(path), true
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
			l.Close() //nolint:errcheck // there is nobody to return it to
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

// writeHolder writes a Holder into the lock file. It is only for messages, so a failure is ignored.
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
		f.Truncate(int64(headerSize + len(line))) //nolint:errcheck // the rest of an old line only makes the holder unreadable
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
