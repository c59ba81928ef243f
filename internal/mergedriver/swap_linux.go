package mergedriver

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// swap puts a new file in the place of an old one, at once. The two change
// places, and then the old one goes: renaming would make ext4 send the new one
// to the disk, though git is about to read and remove it.
//
// Killed in between, the shell still finds the name of the new file and merges
// lines, of which one side is what was merged. That gives the same again, or
// markers.
func swap(newer, older string) error {
	if unix.Renameat2(unix.AT_FDCWD, newer, unix.AT_FDCWD, older, unix.RENAME_EXCHANGE) != nil {
		return os.Rename(newer, older) // not every file system can
	}
	return os.Remove(newer)
}

// mapAtOnce has a file mapped with all its pages: one by one they take longer.
const mapAtOnce = unix.MAP_POPULATE

// maxPieces is how many the system takes at once.
const maxPieces = 1024

// writePieces writes pieces to a file without copying them together.
func writePieces(f *os.File, pieces [][]byte) error {
	for len(pieces) > 0 {
		n, err := unix.Writev(int(f.Fd()), pieces[:min(maxPieces, len(pieces))])
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return &os.PathError{Op: "write", Path: f.Name(), Err: err}
		}
		for len(pieces) > 0 && n >= len(pieces[0]) {
			n, pieces = n-len(pieces[0]), pieces[1:]
		}
		if n > 0 {
			return writeAll(f, append([][]byte{pieces[0][n:]}, pieces[1:]...))
		}
	}
	return nil
}
