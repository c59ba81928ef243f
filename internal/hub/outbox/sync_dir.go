package outbox

import "os"

// syncDirectory writes the names in a directory to the disk, which some systems cannot do and need not.
func syncDirectory(path string) {
	dir, err := os.Open(path)
	if err != nil {
		return
	}
	defer dir.Close()
	dir.Sync() //nolint:errcheck // see above
}
