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

// Interrupted tells whether err is that of a program which an interrupt ended: a Ctrl-C reaches every program in front of
// the terminal that has no group of its own.
func Interrupted(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGINT
}
