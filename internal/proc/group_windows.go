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

// terminate ends the program; Windows knows no polite request that reaches every kind of program.
func terminate(p *os.Process, _ bool) error { return p.Kill() }

// killGroup has nothing to do: a Windows process group has no signal that ends it.
func killGroup(*os.Process) {}

// Dismissed reports whether err is that of a program which a signal ended. There are none here.
func Dismissed(error) bool { return false }

// Killed reports whether err is that of a program which a signal ended. There are none here.
func Killed(error) bool { return false }
