package proc

import (
	"io"
	"os/exec"
)

// A Guard is a child process that cleans up if this process is killed. It reads its input: an end of file without a line before
// it means that this process was killed. It is in a process group of its own, keeps none of our outputs open, and is ended by no
// context.
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

// Release ends the guard with a line on its input: there is nothing to clean up. It may be called on a nil Guard, and twice.
func (g *Guard) Release() {
	if g == nil || g.in == nil {
		return
	}
	io.WriteString(g.in, "done\n") //nolint:errcheck // the guard may have ended
	g.in.Close()
	g.in = nil
}
