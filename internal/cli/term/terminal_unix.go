//go:build unix

package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminal reports whether a file is a terminal, and its width in columns, 0
// where it does not say.
func terminal(f *os.File) (width int, ok bool) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	return int(size.Col), true
}
