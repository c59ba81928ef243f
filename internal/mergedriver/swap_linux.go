package mergedriver

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// swap atomically replaces an old file by a new one. The two are exchanged,
// then the old one is deleted: a rename would make ext4 write the new one to
// the disk at once, though git is about to read and remove it.
//
// If the driver is killed in between, the shell still finds the pending file,
// and merges plain text with the merged plan as ours. The result is the merged
// plan again, or has markers.
func swap(newer, older string) error {
	if unix.Renameat2(unix.AT_FDCWD, newer, unix.AT_FDCWD, older, unix.RENAME_EXCHANGE) != nil {
		return os.Rename(newer, older) // not every file system can
	}
	return os.Remove(newer)
}

// mapAtOnce maps all pages of a file at once: one by one they take longer.
const mapAtOnce = unix.MAP_POPULATE

// maxPieces is the maximum number of pieces of one system call.
const maxPieces = 1024

// writePieces writes pieces to a file without joining them first.
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
