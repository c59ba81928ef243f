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

// killGroup kills what is left of the group that p led: usually nothing.
func killGroup(p *os.Process) {
	syscall.Kill(-p.Pid, syscall.SIGKILL) //nolint:errcheck // see above
}

// Terminated reports whether err is that of a program that was ended by SIGHUP, SIGINT, SIGQUIT or SIGTERM: the terminal was
// closed, somebody pressed Ctrl-C or Ctrl-\ in it, or the system is shutting down.
func Terminated(err error) bool {
	switch signalOf(err) {
	case syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM:
		return true
	}
	return false
}

// Signaled reports whether err is that of a program that was ended by a signal.
func Signaled(err error) bool { return signalOf(err) >= 0 }

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
