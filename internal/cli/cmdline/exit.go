package cmdline

import (
	"fmt"
	"strings"
	"syscall"
)

// SignalBase is what shells add to a signal's number to make an exit code.
const SignalBase = 128

// The exit codes. The last ones are those of plan, build and work.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitNothing     = 3
	ExitLocked      = 4
	ExitInvalid     = 5
	ExitLimit       = 6
	ExitNoProgress  = 7
	ExitAgent       = 8
	ExitGate        = 9
	ExitInterrupted = SignalBase + int(syscall.SIGINT)
	ExitPipe        = SignalBase + int(syscall.SIGPIPE)
)

// An ExitCode is a code and what it means.
type ExitCode struct {
	Code    int
	Meaning string
}

// ExitCodes returns the codes that any command may end with. The help of a command says what they mean there.
func ExitCodes() []ExitCode {
	return []ExitCode{
		{ExitDone, "done"},
		{ExitFailed, "failed"},
		{ExitUsage, "the command line is wrong"},
		{ExitNothing, "there was nothing to do"},
		{ExitLocked, "another process holds the lock"},
		{ExitInvalid, "the plan is not valid"},
	}
}

// ExitStatus returns the section of a help that lists codes.
func ExitStatus(codes []ExitCode) string {
	var b strings.Builder
	b.WriteString("EXIT STATUS\n")
	for _, c := range codes {
		fmt.Fprintf(&b, "  %d  %s\n", c.Code, c.Meaning)
	}
	return b.String()
}

// A StatusError ends the program with an exit code, after everything was reported.
type StatusError int

func (e StatusError) Error() string { return fmt.Sprintf("status %d", int(e)) }
