// Package proc runs programs. It is the only package that starts processes, so no other one has to know about process groups,
// time limits and pipes.
//
// Run starts a program, waits for it and returns what it printed. Start opens a conversation with a program that
// answers requests, such as `git cat-file --batch`. Neither ever goes through a shell: arguments are data.
package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// grace is how long a program may take to clean up (remove its lock files) between TERM and KILL.
const grace = 2 * time.Second

// Cmd says what to run.
type Cmd struct {
	Name string   // program, looked up on the PATH of Env unless it holds a separator
	Args []string // arguments without the program's own name
	Dir  string   // working directory; empty: the one of this process
	Env  []string // whole environment as KEY=value; nil: the one of this process

	Stdin  []byte    // input of Run; ignored by Start
	Input  io.Reader // input of Run when Stdin is nil, e.g. the terminal handed through
	Stdout io.Writer // where output goes; nil: it is captured
	Stderr io.Writer // where messages go; nil: they are captured

	// Group puts the program into a process group of its own, so that ending it ends its children too and a
	// Ctrl-C in the terminal does not reach it. Programs that may ask on the terminal must stay without.
	Group bool

	// Inherit are further open files that the program inherits, such as a lock that it holds as long as it runs. Windows does
	// not support that.
	Inherit []*os.File

	Started func(ID)        // called once it runs; may be nil
	Ended   func(err error) // called once it has ended, or could not be started, with the error of Run or Close; may be nil
}

// Result is what a program printed where Cmd did not direct it elsewhere.
type Result struct {
	Stdout []byte
	Stderr []byte
}

// Error reports a program that could not be started, failed, or was ended because the context was.
type Error struct {
	Program string
	Args    []string
	Code    int    // exit status; -1 when it did not exit by itself or never started
	Started bool   // it ran, and then failed or was ended
	Stderr  string // what it printed there, trimmed
	Err     error  // the cause: *exec.ExitError, the context's error, or the failure to start
}

// Error returns what the program printed on standard error, if anything, because that is more useful than an exit status.
func (e *Error) Error() string {
	name, args := e.Program, e.Args
	for strings.HasSuffix(name, "git") && len(args) > 2 && args[0] == "-c" { // a setting
		args = args[2:]
	}
	if len(args) > 0 {
		name += " " + args[0]
	}
	if e.Stderr != "" {
		return fmt.Sprintf("%s: %s", name, e.Stderr)
	}
	return fmt.Sprintf("%s: %v", name, e.Err)
}

// Unwrap returns the cause, so that errors.Is finds context.Canceled and the like.
func (e *Error) Unwrap() error { return e.Err }

// ExitCode returns the exit status of the failed program in err, or -1 where there is none.
func ExitCode(err error) int {
	var pe *Error
	if errors.As(err, &pe) {
		return pe.Code
	}
	return -1
}

// Messages returns what the failed program in err printed on standard error.
func Messages(err error) string {
	var pe *Error
	if errors.As(err, &pe) {
		return pe.Stderr
	}
	return ""
}

// Run runs c to its end. A status other than 0 is an *Error; the Result is valid then too. When ctx ends, the program
// (or its whole group) gets SIGTERM and, if it does not end, SIGKILL.
func Run(ctx context.Context, c Cmd) (Result, error) {
	var out, errOut bytes.Buffer
	cmd := command(ctx, c)
	cmd.Stdin = input(c)
	cmd.Stdout = writerOr(c.Stdout, &out)
	cmd.Stderr = writerOr(c.Stderr, &errOut)
	err := run(cmd, c)
	res := Result{Stdout: out.Bytes(), Stderr: errOut.Bytes()}
	return res, c.ended(wrap(context.Cause(ctx), c, errOut.String(), err))
}

func run(cmd *exec.Cmd, c Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	c.started(cmd)
	err := cmd.Wait()
	if c.Group && cmd.Cancel != nil && err != nil {
		killGroup(cmd.Process) // processes that survived their leader
	}
	return err
}

func (c Cmd) started(cmd *exec.Cmd) {
	if c.Started != nil {
		c.Started(idOf(cmd.Process.Pid))
	}
}

// ended calls Ended, and returns err.
func (c Cmd) ended(err error) error {
	if c.Ended != nil {
		c.Ended(err)
	}
	return err
}

func command(ctx context.Context, c Cmd) *exec.Cmd {
	name := c.Name
	if path, err := LookPath(name, c.Env); err == nil {
		name = path
	}
	cmd := exec.CommandContext(ctx, name, c.Args...)
	cmd.Dir = c.Dir
	cmd.Env = c.Env
	c.inherit(cmd)
	cmd.WaitDelay = grace
	cmd.Cancel = func() error { return terminate(cmd.Process, c.Group) }
	if c.Group {
		ownGroup(cmd)
	}
	return cmd
}

// inherit passes c.Inherit to the program.
func (c Cmd) inherit(cmd *exec.Cmd) {
	if runtime.GOOS != "windows" {
		cmd.ExtraFiles = c.Inherit
	}
}

func input(c Cmd) io.Reader {
	if c.Stdin != nil {
		return bytes.NewReader(c.Stdin)
	}
	return c.Input
}

func writerOr(w io.Writer, captured *bytes.Buffer) io.Writer {
	if w != nil {
		return w
	}
	return captured
}

func wrap(cause error, c Cmd, stderr string, err error) error {
	if err == nil {
		return nil
	}
	e := &Error{Program: c.Name, Args: c.Args, Code: -1, Stderr: strings.TrimSpace(stderr), Err: err}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		e.Code, e.Started = exit.ExitCode(), true
	}
	if cause != nil { // of the end of the context
		e.Err = cause
	}
	return e
}
