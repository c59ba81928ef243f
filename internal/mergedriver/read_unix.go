//go:build unix

package mergedriver

import (
	"os"
	"syscall"
)

// worthMapping is the size of a file, in bytes, from which mapping it is faster
// than reading it: a page that is mapped is not copied.
const worthMapping = 256 << 10

// readPrivate reads a file that nobody else changes while this process lives,
// such as git's temporary ones.
func readPrivate(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() && info.Size() >= worthMapping && info.Size() == int64(int(info.Size())) {
		data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_PRIVATE)
		if err == nil {
			return data, nil
		}
	}
	return os.ReadFile(name)
}
