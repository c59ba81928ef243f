// Package mmap reads large files that nobody changes: mapped into memory where
// the system lets others replace them meanwhile, else read.
package mmap

import (
	"errors"
	"fmt"
	"os"
)

// Errors of Open.
var (
	// ErrNothing: the file is empty, or not a regular one.
	ErrNothing = errors.New("not a file with content")
	// ErrTooLarge: the file does not fit into memory.
	ErrTooLarge = errors.New("too large")
)

// maxRead is the size of the largest file that is read into memory.
const maxRead = 1 << 30

// Read reads a file, also where Open would map it: its content then goes when nothing refers to it any more. The errors are those of
// Open.
func Read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, ErrNothing)
	}
	if info.Size() > maxRead {
		return nil, fmt.Errorf("%s: %w", path, ErrTooLarge)
	}
	return os.ReadFile(path)
}
