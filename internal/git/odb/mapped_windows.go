package odb

import (
	"fmt"
	"os"
)

// mapped is a file's content. It is read, not mapped: Windows would not let git remove the file meanwhile.
type mapped []byte

// mostRead is the size of the largest file that is read into memory.
const mostRead = 1 << 30

// mapFile reads a file. An empty one is corrupt.
func mapFile(path string) (mapped, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, ErrCorrupt)
	}
	if info.Size() > mostRead {
		return nil, fmt.Errorf("%s: %w", path, ErrUnsupported)
	}
	return os.ReadFile(path)
}

func (m mapped) close() {}
