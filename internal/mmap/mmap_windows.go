package mmap

import (
	"fmt"
	"os"
)

// Data is a file's content. It is read, not mapped: Windows would not let anybody replace the file meanwhile.
type Data []byte

// maxRead is the size of the largest file that is read into memory.
const maxRead = 1 << 30

// Open reads a file. The errors are ErrNothing, ErrTooLarge and those of the file
// system.
func Open(path string) (Data, error) {
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

// Close does nothing.
func (d Data) Close() {}
