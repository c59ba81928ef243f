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
	syscall.Kill(-group, how.signal()) //nolint:errcheck // all may have ended
}

func signalProcess(pid int, how stopSignal) {
	syscall.Kill(pid, how.signal()) //nolint:errcheck // it may have ended
}

// groupLives reports whether a process group has a member.
func groupLives(group int) bool {
	return !errors.Is(syscall.Kill(-group, 0), syscall.ESRCH)
}
