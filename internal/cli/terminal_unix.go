//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminal tells whether a file is a terminal, and its width in columns, 0
// where it does not say.
func terminal(f *os.File) (width int, ok bool) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	return int(size.Col), true
}
