package proc

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
)

// Replace runs a program with our streams and returns its exit status: Windows cannot put it in the place of this process. A Ctrl-C
// reaches both, and the program decides what it means.
func Replace(path string, args, env []string) (code int, err error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	cmd := exec.Command(path, args...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); exited {
		err = nil
	}
	return exitStatus(err), err
}
