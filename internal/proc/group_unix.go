//go:build unix

package proc

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the program the leader of a new process group.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// terminate asks the program, or its whole group, to end. exec's WaitDelay follows with KILL.
func terminate(p *os.Process, group bool) error {
	if group {
		return syscall.Kill(-p.Pid, syscall.SIGTERM)
	}
	return p.Signal(syscall.SIGTERM)
}

// killGroup ends what is left of the group that p led. No member left is the usual case.
func killGroup(p *os.Process) {
	syscall.Kill(-p.Pid, syscall.SIGKILL) //nolint:errcheck // see above
}

// Dismissed reports whether err is that of a program which a signal ended that is sent to many at once: by a terminal that is
// closed or in which Ctrl-C or Ctrl-\ is pressed, or by a system that shuts down.
func Dismissed(err error) bool {
	switch signalOf(err) {
	case syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM:
		return true
	}
	return false
}

// Killed reports whether err is that of a program which a signal ended, whichever.
func Killed(err error) bool { return signalOf(err) >= 0 }

// signalOf returns the signal that ended a program, or -1.
func signalOf(err error) syscall.Signal {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return -1
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return -1
	}
	return status.Signal()
}
