package odb

import (
	"errors"
	"fmt"

	"git-ralph/internal/mmap"
)

// mapFile maps a file that git never changes once it has its name. An empty one is corrupt.
func mapFile(path string) (mmap.Data, error) {
	data, err := mmap.Open(path)
	switch {
	case errors.Is(err, mmap.ErrNothing):
		return nil, fmt.Errorf("%w: %w", err, ErrCorrupt)
	case errors.Is(err, mmap.ErrTooLarge):
		return nil, fmt.Errorf("%w: %w", err, ErrUnsupported)
	}
	return data, err
}
