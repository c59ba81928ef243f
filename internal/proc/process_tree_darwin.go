package proc

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// startOf returns when a process started, "" where there is none.
func startOf(pid int) string {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return ""
	}
	return fmt.Sprintf("%d.%06d", info.Proc.P_starttime.Sec, info.Proc.P_starttime.Usec)
}

// signalTarget returns what a signal is sent to so that it reaches the group.
func signalTarget(pid int) int { return -pid }
