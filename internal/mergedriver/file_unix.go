//go:build unix

package mergedriver

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// minMapped is the minimum size of a file, in bytes, for which mapping is
// faster than reading: mapped pages are not copied.
const minMapped = 256 << 10

// noFollow makes openPlain refuse symbolic links.
const noFollow = syscall.O_NOFOLLOW

// openPlain opens a file without registering it with the runtime's poller, as
// package os does: that takes longer than reading a small plan.
func openPlain(name string, flag int) (*os.File, error) {
	for {
		fd, err := syscall.Open(name, flag|syscall.O_CLOEXEC, 0o600)
		if err == nil {
			return os.NewFile(uintptr(fd), name), nil
		}
		if !errors.Is(err, syscall.EINTR) {
			return nil, &os.PathError{Op: "open", Path: name, Err: err}
		}
	}
}

// readPrivate reads a file that nobody else changes while this process lives,
// such as git's temporary ones.
func readPrivate(name string) ([]byte, error) {
	f, err := openPlain(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	if !info.Mode().IsRegular() || size != int64(int(size)) {
		return io.ReadAll(f)
	}
	if size >= minMapped {
		data, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_PRIVATE|mapAtOnce)
		if err == nil {
			return data, nil
		}
	}
	data := make([]byte, size)
	_, err = io.ReadFull(f, data)
	return data, err
}
