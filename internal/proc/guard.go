package proc

import (
	"io"
	"os/exec"
)

// A Guard is a child process that cleans up should this process die. It reads its input: an end of file without a line
// before it means that we were killed. It is in a process group of its own, holds none of our outputs open, and no context
// ends it.
type Guard struct{ in io.WriteCloser }

// StartGuard starts c as a Guard. Its output is discarded; c.Stdin, Input, Stdout and Stderr are ignored.
func StartGuard(c Cmd) (*Guard, error) {
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
	return &Guard{in}, nil
}

// Release ends the guard, with a line on its input that says that there is nothing to clean up. A nil Guard and a second call
// are fine.
func (l *Guard) Release() {
	if l == nil || l.in == nil {
		return
	}
	io.WriteString(l.in, "done\n") //nolint:errcheck // a program that is gone needs no word
	l.in.Close()
	l.in = nil
}
