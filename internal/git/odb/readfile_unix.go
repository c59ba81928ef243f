//go:build unix

package odb

import (
	"os"
	"syscall"
)

// readFile reads a small file into room, or a larger one in its place. It takes the system's calls as they are: of many
// small files, opening costs the most.
func readFile(path string, room []byte) ([]byte, error) {
	const flags = syscall.O_RDONLY | syscall.O_CLOEXEC
	fd, err := retry(func() (int, error) { return syscall.Open(path, flags, 0) })
	if err != nil {
		return room[:0], &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd) //nolint:errcheck // nothing was written
	data := room[:0]
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := retry(func() (int, error) { return syscall.Read(fd, data[len(data):cap(data)]) })
		if err != nil {
			return data[:0], &os.PathError{Op: "read", Path: path, Err: err}
		}
		if n <= 0 {
			return data, nil
		}
		data = data[:len(data)+n]
	}
}

// retry calls until no signal comes between.
func retry(call func() (int, error)) (n int, err error) {
	for {
		if n, err = call(); err != syscall.EINTR {
			return n, err
		}
	}
}
