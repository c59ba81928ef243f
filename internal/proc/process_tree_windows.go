package proc

import (
	"os"
	"strconv"
	"syscall"
)

// On Windows a group cannot be signalled, so only the program itself is ended.

func signalGroup(group int, how stopSignal) { signalProcess(group, how) }

func signalProcess(pid int, _ stopSignal) {
	if p, err := os.FindProcess(pid); err == nil {
		p.Kill() //nolint:errcheck // it may have ended
		p.Release()
	}
}

func groupLives(int) bool { return false }

// startOf returns when a process started, "" where there is none.
func startOf(pid int) string {
	handle, err := syscall.OpenProcess(syscall.PROCESS_QUERY_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer syscall.CloseHandle(handle)
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(handle, &created, &exited, &kernel, &user) != nil || exited.Nanoseconds() > created.Nanoseconds() {
		return ""
	}
	return strconv.FormatInt(created.Nanoseconds(), 10)
}

func signalTarget(pid int) int { return pid }
