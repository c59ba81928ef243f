//go:build unix

package main

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// outputBroken reports whether the reader of a file is gone. SIGPIPE alone does not tell: it also comes from the input of a program
// that ended before it read all of it, such as a git whose hook refused a commit.
func outputBroken(f *os.File) bool {
	fds := []unix.PollFd{{Fd: int32(f.Fd())}}
	for {
		_, err := unix.Poll(fds, 0)
		if !errors.Is(err, unix.EINTR) {
			return err == nil && fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
		}
	}
}
