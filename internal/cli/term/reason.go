package term

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// ReasonOf leaves out what an error of the file system says about operation and
// path, where the sentence around it says so already.
func ReasonOf(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// OutputError makes an error of a failed write to standard output. A reader
// that went away, such as head, is none.
func OutputError(err error) error {
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return fmt.Errorf("cannot write to standard output: %w", ReasonOf(err))
}
