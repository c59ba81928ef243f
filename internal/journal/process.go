package journal

import (
	"os"
	"path/filepath"
	"strconv"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/proc"
)

// commandsDir has a file for each git command of a run that is still running. If nobody holds the lock, they were left by a
// run that was killed.
const commandsDir = "commands"

// A Process is one that a run started: its agent, or a git command.
type Process struct {
	proc.ID
	Run     string    // as in RunVariable; not a run's name where the command was started before the run began
	Command string    // of git; "" for an agent
	Began   time.Time // when it was recorded, by the clock of the file system
}

func (p Process) mark() string { return Mark(p.Run) }

// Mark returns the entry in the environment of everything that a run starts.
func Mark(run string) string { return RunVariable + "=" + run }

// write records the process, in place: a record that a kill truncates still shows that something was started.
func (p Process) write(to record) {
	text := jsonl.Build([]jsonl.Member{
		{Name: "run", Value: jsonl.Quote(p.Run)},
		{Name: "pid", Value: jsonl.Value(strconv.Itoa(p.PID))},
		{Name: "start", Value: jsonl.Quote(p.Start)},
		{Name: "command", Value: jsonl.Quote(p.Command)},
	}).Text() + "\n"
	os.WriteFile(string(to), []byte(text), private) //nolint:errcheck // it is needed only after a SIGKILL
}

// CommandBegan records a git command that runs, until ended is called.
func (j Journal) CommandBegan(p Process) (ended func()) {
	path := filepath.Join(j.dir, commandsDir, strconv.Itoa(p.PID)+".json")
	os.MkdirAll(filepath.Dir(path), 0o777) //nolint:errcheck // nothing is recorded then
	p.write(record(path))
	return record(path).remove
}

// forgetCommands removes the records of commands that are gone.
func (j Journal) forgetCommands() { os.RemoveAll(filepath.Join(j.dir, commandsDir)) } //nolint:errcheck // the next command tries again

// readProcess reads a record. One that a kill truncated still shows that something was started, and when.
func readProcess(path string) (p Process, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return Process{}, err
	}
	p.Began = info.ModTime()
	what, err := record(path).read()
	if err != nil {
		return p, nil //nolint:nilerr // see above
	}
	p.Run, p.Start, p.Command = Text(what, "run"), Text(what, "start"), Text(what, "command")
	pid, _ := what.Get("pid")
	p.PID, _ = strconv.Atoi(string(pid))
	return p, nil
}
