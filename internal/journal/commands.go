package journal

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/proc"
)

// commandsDir holds a file for each git command that a run has started and that runs still. What is in it when nobody holds
// the lock was left by a run that was killed.
const commandsDir = "commands"

// A Process is one that a run started: its agent, or a git command.
type Process struct {
	proc.ID
	Run     string    // as in RunVariable; not a run's name where the command was started before the run began
	Command string    // of git; "" for an agent
	Began   time.Time // when it was recorded, by the clock of the file system
}

func (p Process) mark() string { return Mark(p.Run) }

// Mark returns what stands in the environment of all that a run starts.
func Mark(run string) string { return RunVariable + "=" + run }

// note is the line that records the process.
func (p Process) note() string {
	note := jsonl.Build([]jsonl.Member{
		{Name: "run", Value: jsonl.Quote(p.Run)},
		{Name: "pid", Value: jsonl.Value(strconv.Itoa(p.PID))},
		{Name: "start", Value: jsonl.Quote(p.Start)},
		{Name: "command", Value: jsonl.Quote(p.Command)},
	})
	return note.Text() + "\n"
}

// CommandBegan records a git command that runs, until ended is called.
func (j Journal) CommandBegan(p Process) (ended func()) {
	path := filepath.Join(j.dir, commandsDir, strconv.Itoa(p.PID)+".json")
	os.MkdirAll(filepath.Dir(path), 0o777)        //nolint:errcheck // the next line fails then
	os.WriteFile(path, []byte(p.note()), private) //nolint:errcheck // without it only a SIGKILL leaves something behind
	return func() { os.Remove(path) }
}

// forgetCommands removes the records of commands that are gone.
func (j Journal) forgetCommands() { os.RemoveAll(filepath.Join(j.dir, commandsDir)) } //nolint:errcheck // the next command tries again

// readProcess reads a record. One that a kill cut off still says that something was started, and when.
func readProcess(path string) (p Process, ok bool) {
	info, err := os.Stat(path)
	if err != nil {
		return Process{}, false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Process{}, false
	}
	p.Began = info.ModTime()
	note, err := jsonl.ParseObject(strings.TrimSpace(string(data)))
	if err != nil {
		return p, true
	}
	p.Run, p.Start, p.Command = Text(note, "run"), Text(note, "start"), Text(note, "command")
	pid, _ := note.Get("pid")
	p.PID, _ = strconv.Atoi(string(pid))
	return p, true
}
