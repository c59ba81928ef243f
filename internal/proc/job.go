package proc

import (
	"errors"
	"os"
	"os/exec"
	"time"
)

// A Job is a running program together with everything that it starts. It is ended as a whole: its process group, and on
// Linux also processes that left the group or made a session of their own. There can be one Job at a time: orphans that this
// process adopts count as the job's unless they existed before it.
type Job struct {
	ID     ID
	Stdout *os.File // what it prints; ends only when no process is left that could print
	Stderr *os.File

	cmd    *exec.Cmd
	others map[int]bool // children of this process that are not the job's
	exited chan struct{}
	err    error
}

// An ID identifies a process for as long as the machine runs: a pid is reused, a pid together with a start time is not.
type ID struct {
	PID   int    // also the number of its group
	Start string // when it started, in a format of the system; "" if the system does not report it
}

// StartJob starts c in a process group of its own. Its input is c.Input, which should be a file, since a pipe would need a
// writer; the default is an empty input. c.Stdin, Stdout, Stderr and Group are ignored.
func StartJob(c Cmd) (*Job, error) {
	path, err := LookPath(c.Name, c.Env)
	if err != nil {
		return nil, &Error{Program: c.Name, Args: c.Args, Code: -1, Err: err}
	}
	adoptOrphans()
	j := &Job{cmd: exec.Command(path, c.Args...), others: descendants(nil), exited: make(chan struct{})}
	j.cmd.Dir, j.cmd.Env, j.cmd.Stdin = c.Dir, c.Env, c.Input
	c.inherit(j.cmd)
	ownGroup(j.cmd)
	if err := j.start(); err != nil {
		return nil, &Error{Program: c.Name, Args: c.Args, Code: -1, Err: err}
	}
	j.ID = idOf(j.cmd.Process.Pid)
	go func() {
		j.err = j.cmd.Wait()
		close(j.exited)
	}()
	return j, nil
}

// start makes the pipes and the process. The writing ends are closed here, so that only the process has them.
func (j *Job) start() error {
	out, outEnd, err := os.Pipe()
	if err != nil {
		return err
	}
	defer outEnd.Close()
	errs, errsEnd, err := os.Pipe()
	if err != nil {
		out.Close()
		return err
	}
	defer errsEnd.Close()
	j.cmd.Stdout, j.cmd.Stderr = outEnd, errsEnd
	if err := j.cmd.Start(); err != nil {
		out.Close()
		errs.Close()
		return err
	}
	j.Stdout, j.Stderr = out, errs
	return nil
}

// Exited is closed when the program itself has ended. What it started may go on.
func (j *Job) Exited() <-chan struct{} { return j.exited }

// Code returns the exit status of the program, -1 where a signal ended it. It must have ended.
func (j *Job) Code() int { return exitStatus(j.err) }

// exitStatus returns the exit status of a program by the error of Wait.
func exitStatus(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

// pollInterval is the time between two checks whether all processes have ended.
const pollInterval = 5 * time.Millisecond

// End ends the whole job: TERM, and KILL for what is left after the grace. It returns when nothing is left. Output that
// was written before can still be read.
func (j *Job) End(grace time.Duration) {
	if j.gone() {
		return
	}
	endAll(grace, j.signal, j.gone)
}

// endAll sends SIGTERM once, then SIGKILL after the grace, until all are gone.
func endAll(grace time.Duration, signal func(stopSignal), gone func() bool) {
	signal(sigTerm)
	deadline := time.Now().Add(grace)
	for !gone() {
		if !time.Now().Before(deadline) {
			signal(sigKill)
		}
		time.Sleep(pollInterval)
	}
}

// Close ends the job without grace and closes its pipes.
func (j *Job) Close() {
	j.End(0)
	j.Stdout.Close()
	j.Stderr.Close()
}

// gone reports whether neither the program nor anything that it started is left.
func (j *Job) gone() bool {
	select {
	case <-j.exited:
	default:
		return false
	}
	reapOrphans(j.others)
	return !groupLives(j.ID.PID) && len(descendants(j.others)) == 0
}

func (j *Job) signal(how stopSignal) {
	signalGroup(j.ID.PID, how)
	for pid := range descendants(j.others) {
		signalProcess(pid, how)
	}
}

// A stopSignal asks a process to end, or forces it to.
type stopSignal int

const (
	sigTerm stopSignal = iota
	sigKill
)

// EndRemaining ends what is left of a job whose parent was killed: its group, if id is still the process that led it, and on
// Linux every process with mark (KEY=value) in its environment. It reports whether there was anything. A process that has the
// mark itself, and so is part of that job, must not call it.
func EndRemaining(id ID, mark string, grace time.Duration) bool {
	if len(remaining(id, mark)) == 0 {
		return false
	}
	asked := map[ID]bool{}
	signal := func(how stopSignal) {
		for _, pid := range remaining(id, mark) {
			asked[ID{PID: pid, Start: startOf(pid)}] = true
			signalProcess(pid, how)
		}
	}
	endAll(grace, signal, func() bool { return len(remaining(id, mark)) == 0 && !anyAlive(asked) })
	return true
}

// anyAlive reports whether one of ids still runs. A process that is about to end has no environment, and so no mark, any more.
func anyAlive(ids map[ID]bool) bool {
	for id := range ids {
		if id.Alive() {
			return true
		}
	}
	return false
}

// Alive reports whether the process still runs. Without a start time that is not known, and Alive returns false.
func (id ID) Alive() bool { return id.PID > 0 && id.Start != "" && startOf(id.PID) == id.Start }

func idOf(pid int) ID { return ID{PID: pid, Start: startOf(pid)} }
