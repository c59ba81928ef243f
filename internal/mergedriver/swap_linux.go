package mergedriver

import (
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
