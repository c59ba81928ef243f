package proc

import (
	"os"
	"os/exec"
	"strconv"
	"time"
)

// A Child is a running program in a process group of its own, so that a Ctrl-C in the terminal does not reach it. Unlike a Job
// there can be many at a time: this process adopts no orphans for it. Processes that a child leaves are found by a mark in their
// environment.
type Child struct {
	ID ID

	mark   string
	cmd    *exec.Cmd
	exited chan struct{}
	err    error
}

// StartChild starts c with mark (KEY=value) in its environment. Its outputs are c.Stdout and c.Stderr, which should be files, so
// that they work when this process is gone. c.Stdin, Input and Group are ignored: the input is empty.
func StartChild(c Cmd, mark string) (*Child, error) {
	path, err := LookPath(c.Name, c.Env)
	if err != nil {
		return nil, &Error{Program: c.Name, Args: c.Args, Code: -1, Err: err}
	}
	environ := c.Env
	if environ == nil {
		environ = os.Environ()
	}
	ch := &Child{mark: mark, cmd: exec.Command(path, c.Args...), exited: make(chan struct{})}
	ch.cmd.Dir, ch.cmd.Env = c.Dir, append(environ[:len(environ):len(environ)], mark)
	ch.cmd.Stdout, ch.cmd.Stderr = c.Stdout, c.Stderr
	c.inherit(ch.cmd)
	ownGroup(ch.cmd)
	if err := ch.cmd.Start(); err != nil {
		return nil, &Error{Program: c.Name, Args: c.Args, Code: -1, Err: err}
	}
	ch.ID = idOf(ch.cmd.Process.Pid)
	go func() {
		ch.err = ch.cmd.Wait()
		close(ch.exited)
	}()
	return ch, nil
}

// EndWithParent makes the child get TERM when this process dies, however it dies. It is called once, right after the start.
func (ch *Child) EndWithParent() error {
	guard, err := StartGuard(Cmd{
		Name: "sh", Args: []string{"-c", `trap "" HUP INT TERM; read -r line || kill -TERM "$1"`, "sh", strconv.Itoa(ch.ID.PID)}, Env: ch.cmd.Env[:len(ch.cmd.Env)-1],
	})
	if err != nil {
		return err
	}
	go func() {
		<-ch.exited
		guard.Release()
	}()
	return nil
}

// Exited is closed when the program itself has ended. What it started may go on.
func (ch *Child) Exited() <-chan struct{} { return ch.exited }

// Code returns the exit status of the program, -1 where a signal ended it. It must have ended.
func (ch *Child) Code() int { return exitStatus(ch.err) }

// Signal sends a signal to the program alone, which ends what it started by itself.
func (ch *Child) Signal(s os.Signal) {
	ch.cmd.Process.Signal(s) //nolint:errcheck // it may have ended
}

// End ends the child and what it has started: TERM to the program, then KILL after the grace to all that is left. It returns
// when nothing is left.
func (ch *Child) End(grace time.Duration) {
	signalProcess(ch.ID.PID, sigTerm)
	select {
	case <-ch.exited:
	case <-time.After(grace):
		signalGroup(ch.ID.PID, sigKill)
		<-ch.exited
	}
	ch.EndRemaining(0)
}

// EndRemaining ends the processes that the program left when it ended. It reports whether there were any.
func (ch *Child) EndRemaining(grace time.Duration) bool {
	<-ch.exited
	return EndRemaining(ID{}, ch.mark, grace)
}
