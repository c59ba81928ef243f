package proc

import (
	"io"
	"os/exec"
)

// Lifeline is a program that survives this one by a moment: it reads its input and learns from its end, without a line
// before it, that this process died. It stands in a group of its own, holds none of our outputs open, and is not ended
// with any context.
type Lifeline struct{ in io.WriteCloser }

// StartLifeline starts c as a Lifeline. Its output goes nowhere; c.Stdin, Input, Stdout and Stderr are ignored.
func StartLifeline(c Cmd) (*Lifeline, error) {
	path, err := LookPath(c.Name, c.Env)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	ownGroup(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go cmd.Wait() //nolint:errcheck // only to leave no zombie
	return &Lifeline{in}, nil
}

// Release ends the program, with a line on its input as the sign that all is well. A nil Lifeline and a second call are fine.
func (l *Lifeline) Release() {
	if l == nil || l.in == nil {
		return
	}
	io.WriteString(l.in, "done\n") //nolint:errcheck // a program that is gone needs no word
	l.in.Close()
	l.in = nil
}
