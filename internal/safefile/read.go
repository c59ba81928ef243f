package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// maxRead is how large a file of settings may be that is read, in bytes. A repository may contain anything.
const maxRead = 16 << 20

// ErrTooLarge: a file has more than a file of settings may have.
var ErrTooLarge = fmt.Errorf("has more than %d MiB", maxRead>>20)

// Read returns the content of a file of settings. Links are followed; where one leads to what is no regular file, such as a pipe or a
// device without end, that is an error, and nothing waits for it. The errors are ErrNotFile, ErrTooLarge and those of the file system.
func Read(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrNotFile}
	}
	data, err := io.ReadAll(io.LimitReader(f, maxRead+1))
	if err == nil && len(data) > maxRead {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrTooLarge}
	}
	return data, err
}

// ReadIfAny is Read, where a file that is missing is an empty one.
func ReadIfAny(path string) (data []byte, exists bool, err error) {
	data, err = Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return data, err == nil, err
}
