//go:build unix

package proc

import (
	"errors"
	"syscall"
)

func (how manner) signal() syscall.Signal {
	if how == deadly {
		return syscall.SIGKILL
	}
	return syscall.SIGTERM
}

func signalGroup(group int, how manner) {
	syscall.Kill(-group, how.signal()) //nolint:errcheck // nobody left is what is wanted
}

func signalProcess(pid int, how manner) {
	syscall.Kill(pid, how.signal()) //nolint:errcheck // gone is what is wanted
}

// groupLives reports whether a process group has a member.
func groupLives(group int) bool {
	return !errors.Is(syscall.Kill(-group, 0), syscall.ESRCH)
}
