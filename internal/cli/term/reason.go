package term

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// ReasonOf returns an error of the file system without its operation and path, for messages
// that name these themselves.
func ReasonOf(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// OutputError returns the error to report for a failed write to standard output. It is nil
// where the reader, such as head, has closed the pipe.
func OutputError(err error) error {
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return fmt.Errorf("cannot write to standard output: %w", ReasonOf(err))
}
