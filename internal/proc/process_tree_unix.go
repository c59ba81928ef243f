//go:build unix

package proc

import (
	"errors"
	"syscall"
)

func (how stopSignal) signal() syscall.Signal {
	if how == sigKill {
		return syscall.SIGKILL
	}
	return syscall.SIGTERM
}

func signalGroup(group int, how stopSignal) {
	syscall.Kill(-group, how.signal()) //nolint:errcheck // nobody left is what is wanted
}

func signalProcess(pid int, how stopSignal) {
	syscall.Kill(pid, how.signal()) //nolint:errcheck // gone is what is wanted
}

// groupLives reports whether a process group has a member.
func groupLives(group int) bool {
	return !errors.Is(syscall.Kill(-group, 0), syscall.ESRCH)
}
