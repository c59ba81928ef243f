//go:build unix

package odb

import (
	"fmt"
	"os"
	"syscall"
)

// mapped is a file's content, which git never changes once it has its name.
type mapped []byte

// mapFile maps a file. An empty one is corrupt.
func mapFile(path string) (mapped, error) {
	f, err := os.Open(path)
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
		return nil, fmt.Errorf("%s: %w", path, ErrCorrupt)
	}
	if int64(int(size)) != size {
		return nil, fmt.Errorf("%s: %w", path, ErrUnsupported)
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	return data, nil
}

func (m mapped) close() {
	if m != nil {
		syscall.Munmap(m) //nolint:errcheck // nothing was written
	}
}
