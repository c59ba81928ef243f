package proc

import (
	"errors"
	"os"
	"os/exec"
	"time"
)

// A Job is a running program together with everything that it starts. It is ended as a whole: its process group, and on
// Linux also processes that left the group or made a session of their own. There can be one Job at a time: orphans that this
// process inherits are taken for the job's unless they were there before it.
type Job struct {
	ID     ID
	Stdout *os.File // what it prints; at its end only when no process is left that could print
	Stderr *os.File

	cmd    *exec.Cmd
	others map[int]bool // children of this process that are not the job's
	exited chan struct{}
	err    error
}

// An ID identifies a process for as long as the machine runs: a pid is reused, a pid together with a start time is not.
type ID struct {
	PID   int    // also the number of its group
	Start string // when it started, in the system's own words; "" where the system does not report it
}

// StartJob starts c in a process group of its own. Its input is c.Input, which should be a file: a pipe would need
// somebody to fill it. Where nothing is given it is empty. c.Stdin, Stdout, Stderr and Group are ignored.
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

// start makes the pipes and the process. The writing ends belong to the process alone.
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

// exitStatus returns the exit status that the error of Wait is about.
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

// pollTime is how often End looks whether all are gone.
const pollTime = 5 * time.Millisecond

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
		time.Sleep(pollTime)
	}
}

// Close ends the job without grace and gives up its pipes.
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

// EndRemaining ends what is left of a job whose own parent was killed: its group, if the process that is named is still the
// one that led it, and on Linux every process with marker (KEY=value) in its environment. It reports whether there was
// anything. A process that holds the marker itself, and so is part of that job, must not call it.
func EndRemaining(id ID, marker string, grace time.Duration) bool {
	if len(remaining(id, marker)) == 0 {
		return false
	}
	asked := map[ID]bool{}
	signal := func(how stopSignal) {
		for _, pid := range remaining(id, marker) {
			asked[ID{PID: pid, Start: startOf(pid)}] = true
			signalProcess(pid, how)
		}
	}
	endAll(grace, signal, func() bool { return len(remaining(id, marker)) == 0 && !anyAlive(asked) })
	return true
}

// anyAlive reports whether one of these still runs. One that is about to end has lost its environment already, and with it
// what marks it as remaining.
func anyAlive(ids map[ID]bool) bool {
	for id := range ids {
		if id.Alive() {
			return true
		}
	}
	return false
}

// Alive reports whether the process still runs. Without a start time that is unknown, and the answer is no.
func (id ID) Alive() bool { return id.PID > 0 && id.Start != "" && startOf(id.PID) == id.Start }

func idOf(pid int) ID { return ID{PID: pid, Start: startOf(pid)} }
