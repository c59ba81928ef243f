package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"git-ralph/internal/jsonl"
	"git-ralph/internal/safefile"
)

// A Run is the current run. It holds the worktree's lock until Close.
type Run struct {
	Name string

	what    string // for the user, as the lock names it
	journal Journal
	held    *safefile.Held
	file    *os.File
	changes jsonl.Object // of the run before
}

// Begin starts a run, and removes the journals of old runs except the last keep. The error is ErrRunning if another run is under
// way.
func (j Journal) Begin(name, what string, keep int) (*Run, error) {
	held, err := j.Hold(what)
	if err != nil {
		return nil, err
	}
	r := &Run{Name: name, what: what, journal: j, held: held}
	r.changes = j.LastChanges()
	if err := r.open(); err != nil {
		held.Release() //nolint:errcheck // the error that matters is the first
		return nil, err
	}
	if r.changes.Len() > 0 {
		r.WriteChanges(r.changes) // the run that recorded them may be pruned, and this one killed before it records its own
	}
	j.prune(keep)
	return r, nil
}

// Journal returns the journal that the run is in.
func (r *Run) Journal() Journal { return r.journal }

func (r *Run) open() error {
	if err := os.MkdirAll(r.journal.path(r.Name, ""), 0o777); err != nil {
		return err
	}
	var err error
	r.file, err = os.OpenFile(r.journal.path(r.Name, eventLog), os.O_CREATE|os.O_APPEND|os.O_WRONLY, private)
	return err
}

// Repair creates the run's directory and lock again if something deleted them, and reports whether it did. The error is
// ErrRunning if another loop has begun meanwhile.
func (r *Run) Repair() (lost bool, err error) {
	_, logErr := os.Stat(r.journal.path(r.Name, eventLog))
	_, lockErr := os.Stat(filepath.Join(r.journal.dir, lockFile))
	if logErr == nil && lockErr == nil {
		return false, nil
	}
	if lockErr != nil {
		held, err := r.journal.Hold(r.what)
		if err != nil {
			return true, err
		}
		r.held.Release() //nolint:errcheck // of a file that nobody can open any more
		r.held = held
	}
	if logErr != nil {
		r.file.Close()
		return true, r.open()
	}
	return true, nil
}

// prune removes all but the last keep runs.
func (j Journal) prune(keep int) {
	runs := j.Runs()
	for _, name := range runs[:max(len(runs)-max(keep, 1), 0)] {
		os.RemoveAll(j.path(name, "")) //nolint:errcheck // the next run tries again
	}
}

// Close ends the run.
func (r *Run) Close() {
	r.journal.live(r.Name).remove()
	r.file.Close()
	r.held.Release() //nolint:errcheck // the process ends soon
}

// WritePrompt writes the prompt of an iteration, and returns the path of the file.
func (r *Run) WritePrompt(iteration int, text string) (string, error) {
	path := r.journal.path(r.Name, fmt.Sprintf("%d.prompt.md", iteration))
	return path, os.WriteFile(path, []byte(text), private)
}

// OpenLog begins the log of an iteration, whose number one may have had that had to wait.
func (r *Run) OpenLog(iteration int) (*Log, error) {
	r.journal.forgetServiceLimit(LogName(r.Name, iteration))
	path := r.journal.path(r.Name, strconv.Itoa(iteration)+".log")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, private)
	if err != nil {
		return nil, err
	}
	return newLog(f), nil
}
