// Package mmap reads large files that nobody changes: mapped into memory where
// the system lets others replace them meanwhile, else read.
package mmap

import "errors"

// Errors of Open.
var (
	// ErrNothing: the file is empty, or not a regular one.
	ErrNothing = errors.New("not a file with content")
	// ErrTooLarge: the file does not fit into memory.
	ErrTooLarge = errors.New("too large")
)
