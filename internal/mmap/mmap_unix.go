//go:build unix

package mmap

import (
	"fmt"
	"os"
	"syscall"
)

// Data is a file's content, in bytes that must not be written.
type Data []byte

// Open maps a file. The errors are ErrNothing, ErrTooLarge and those of the file
// system.
func Open(path string) (Data, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // nobody may ever write to a named pipe
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	if size == 0 || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, ErrNothing)
	}
	if int64(int(size)) != size {
		return nil, fmt.Errorf("%s: %w", path, ErrTooLarge)
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	return data, nil
}

// Close takes the content out of memory.
func (d Data) Close() {
	if d != nil {
		syscall.Munmap(d) //nolint:errcheck // nothing was written
	}
}
