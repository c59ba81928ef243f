//go:build unix

package authority

import (
	"errors"
	"os"

	"git-ralph/internal/claim"

	"golang.org/x/sys/unix"
)

// unixFile holds a flock. It belongs to the open file, so a process that inherits it holds it too.
type unixFile struct{ f *os.File }

func holdFile(path string) (heldFile, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err := flock(f, unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return unixFile{f}, nil
}

// holdNew is holdFile for a file with content. Nobody sees it before it is locked and complete.
func holdNew(path string, data []byte) (heldFile, error) {
	hidden := hiddenName(path)
	held, err := holdFile(hidden)
	if err != nil {
		return nil, err
	}
	if _, err = held.file().Write(data); err == nil {
		err = os.Rename(hidden, path)
	}
	if err != nil {
		os.Remove(hidden) //nolint:errcheck // the first error is the one to report
		held.release()
		return nil, err
	}
	return held, nil
}

func (u unixFile) file() *os.File { return u.f }

// release closes the file, which leaves the lock to whoever inherited it.
func (u unixFile) release() { u.f.Close() }

// probeFile tries a shared lock, so that those who look do not disturb each other.
func probeFile(path string) claim.LockProof {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW, 0)
	if errors.Is(err, os.ErrNotExist) {
		return claim.LockMissing
	}
	if err != nil {
		return claim.LockUnknown
	}
	defer f.Close()
	switch err := flock(f, unix.LOCK_SH|unix.LOCK_NB); {
	case err == nil:
		return claim.LockFree
	case errors.Is(err, unix.EWOULDBLOCK):
		return claim.LockHeld
	}
	return claim.LockUnknown
}

func flock(f *os.File, how int) error {
	for {
		if err := unix.Flock(int(f.Fd()), how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
