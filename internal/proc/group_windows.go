package proc

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup keeps a Ctrl-C in the console away from the program.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// terminate kills the program: Windows has no request to end that reaches every kind of program.
func terminate(p *os.Process, _ bool) error { return p.Kill() }

// killGroup has nothing to do: a Windows process group has no signal that ends it.
func killGroup(*os.Process) {}

// Terminated returns false: Windows has no signals.
func Terminated(error) bool { return false }

// Signaled returns false: Windows has no signals.
func Signaled(error) bool { return false }
